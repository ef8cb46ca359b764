/** The booking part of the home page: the three steps of a booking, and a form that leads to `/appointment`. */
import { Button } from '@hospital/ui/button';
import { Select } from '@hospital/ui/select';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import type { PageProps } from '@hospital/page';
import { type FieldProps, fieldProps } from '@hospital/form/field';
import { bookingWindow } from './appointment/calendar.ts';
import { type BookingValues, SERVICES, bookingForm } from './appointment/form.ts';
import { TimeOptions } from './appointment/time-options.tsx';
import styles from './home/home-appointment.module.css';

const STEPS = [
  ['Tell us about your visit', 'Who it’s for, and which service you need. Fill in what you know. The rest can wait.'],
  ['Choose a free time', 'On the next page you’ll see which times are free, in Indian Standard Time.'],
  [
    'Come with your reference',
    'You get it straight away. Give it at the front desk, 15 minutes before your appointment.',
  ],
] as const;

/**
 * Returns the field of the booking form without its rules: nothing is required here, and the booking form validates the
 * values.
 */
function field(name: keyof BookingValues): FieldProps {
  return { ...fieldProps(bookingForm, name), id: `home-${name}`, hint: '', required: false, pattern: undefined };
}

/** Uses POST to keep names and numbers out of the address; does not book anything. */
export default function HomeAppointment({ now }: PageProps) {
  const { first, last } = bookingWindow(now);
  return (
    <section className={styles.section} aria-labelledby="home-appointment-title" id="book">
      <div className={styles.inner}>
        <div>
          <h2 className={styles.title} id="home-appointment-title">
            Book an appointment
          </h2>
          <ol className={styles.steps}>
            {STEPS.map(([title, text]) => (
              <li className={styles.step} key={title}>
                <h3 className={styles.stepTitle}>{title}</h3>
                <p className={styles.stepText}>{text}</p>
              </li>
            ))}
          </ol>
        </div>
        <form className={styles.form} method="post" action={bookingForm.page}>
          <input type="hidden" name="intent" value="prefill" />
          <TextInput {...field('firstName')} />
          <TextInput {...field('lastName')} />
          <TextInput {...field('email')} />
          <TextInput {...field('phone')} />
          <Select id="home-service" name="service" label="Service" defaultValue="">
            <option value="">Choose a service</option>
            {SERVICES.map((service) => (
              <option key={service}>{service}</option>
            ))}
          </Select>
          <TextInput {...field('doctor')} />
          <TextInput {...field('date')} min={first} max={last} />
          <Select {...field('time')} label="Time (IST)">
            <option value="">Any time</option>
            <TimeOptions />
          </Select>
          <TextArea className={styles.wide} {...field('message')} rows={3} />
          <div className={styles.wide}>
            <Button type="submit" wide>
              Continue to free times
            </Button>
          </div>
        </form>
      </div>
    </section>
  );
}
