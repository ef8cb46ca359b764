/** The booking part of the home page: the three steps of a booking, and a form that leads to `/appointment`. */
import { Button } from '@hospital/ui/button';
import { Select } from '@hospital/ui/select';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import type { PageProps } from '@hospital/page';
import { siteOf } from '@hospital/ui/site';
import { type FieldProps, fieldProps } from '@hospital/form/field';
import { type AppointmentBodies, isBuiltIn } from './appointment/data.ts';
import { named, t } from './messages.ts';
import { Choice, TimeOptions } from './appointment/time-options.tsx';
import { bookingWindow } from './appointment/calendar.ts';
import { type BookingValues, SERVICES, bookingForm, departmentOf } from './appointment/form.ts';
import styles from './home/home-appointment.module.css';

const steps = () => [
  [t('Say what you need'), t('Which service, and which day suits you. The rest can wait.')],
  [t('Choose a free time'), t('The next page shows which times are free, in Indian Standard Time.')],
  [t('Come with your reference'), t('You get it straight away. Be at the front desk 15 minutes early.')],
];

/**
 * Returns the field of the booking form without its rules: nothing is required here, and the booking form validates the
 * values.
 */
function field(name: keyof BookingValues): FieldProps {
  return { ...fieldProps(bookingForm, name), id: `home-${name}`, hint: '', required: false, pattern: undefined };
}

type HomeAppointmentProps = PageProps<Pick<AppointmentBodies, 'departments' | 'site'>>;

/**
 * Returns the choices: the services if their departments can be booked, else the departments that can. While the
 * departments are unavailable, only the built-in hospital has choices.
 */
function servicesOf({ departments, site }: HomeAppointmentProps['data']): readonly string[] {
  if (!departments?.ok) return isBuiltIn(siteOf(site)) ? SERVICES : [];
  const names = departments.body.departments.filter(({ bookable }) => bookable).map(({ name }) => name);
  return SERVICES.every((service) => names.includes(departmentOf(service))) ? SERVICES : names;
}

/** Uses POST to keep names and numbers out of the address; does not book anything. */
export default function HomeAppointment({ now, data }: HomeAppointmentProps) {
  const { first, last } = bookingWindow(now);
  const services = servicesOf(data);
  return (
    <section className={styles.section} aria-labelledby="home-appointment-title" id="book">
      <div className={styles.inner}>
        <div>
          <h2 className={styles.title} id="home-appointment-title">
            {t('Book an appointment')}
          </h2>
          <ol className={styles.steps}>
            {steps().map(([title, text]) => (
              <li className={styles.step} key={title}>
                <h3 className={styles.stepTitle}>{title}</h3>
                <p className={styles.stepText}>{text}</p>
              </li>
            ))}
          </ol>
        </div>
        <form className={styles.form} method="post" action={bookingForm.page}>
          <input type="hidden" name="intent" value="prefill" />
          {services.length > 0 && (
            <Select className={styles.wide} id="home-service" name="service" label={t('Service')} defaultValue="">
              <option value="">{t('Choose a service')}</option>
              {services.map((service) => (
                <Choice key={service} value={service} text={named(service)} />
              ))}
            </Select>
          )}
          <TextInput {...field('date')} min={first} max={last} />
          <Select {...field('time')} label={t('Time (IST)')}>
            <option value="">{t('Any time')}</option>
            <TimeOptions />
          </Select>
          {/* Fields of a closed card are sent too. */}
          <details className={styles.about}>
            <summary>{t('Add your name, phone number or a doctor')}</summary>
            <div className={styles.fields}>
              <TextInput {...field('firstName')} />
              <TextInput {...field('lastName')} />
              <TextInput {...field('email')} />
              <TextInput {...field('phone')} />
              <TextInput className={styles.wide} {...field('doctor')} />
              <TextArea className={styles.wide} {...field('message')} rows={3} />
            </div>
          </details>
          <div className={styles.wide}>
            <Button type="submit" wide>
              {t('Continue to free times')}
            </Button>
          </div>
        </form>
      </div>
    </section>
  );
}
