/** The booking part of the home page: how it goes in three steps, and a form that leads to `/appointment`. */
import { Button } from '@hospital/ui/button';
import { Select } from '@hospital/ui/select';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import type { PageProps } from '@hospital/page';
import { AFTERNOON, MORNING, bookingWindow } from './appointment/calendar.ts';
import { SERVICES } from './appointment/values.ts';
import styles from './home/home-appointment.module.css';

const STEPS = [
  ['Tell us about your visit', 'Who comes, and which service you need. Fill in what you know; the rest can wait.'],
  ['Choose a free time', 'On the next page you see which times are free, in Indian Standard Time.'],
  ['Come with your reference', 'You get it at once. Say it at the front desk, 15 minutes before your time.'],
] as const;

/** Posts, because names and numbers do not belong in an address; nothing is booked by it. */
export default function HomeAppointment({ now }: PageProps) {
  const window = bookingWindow(now);
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
        <form className={styles.form} method="post" action="/appointment">
          <input type="hidden" name="intent" value="prefill" />
          <TextInput
            id="home-firstName"
            name="firstName"
            label="First name"
            type="text"
            autoComplete="given-name"
            maxLength={60}
          />
          <TextInput
            id="home-lastName"
            name="lastName"
            label="Last name"
            type="text"
            autoComplete="family-name"
            maxLength={59}
          />
          <TextInput
            id="home-email"
            name="email"
            label="Email"
            type="email"
            autoComplete="email"
            inputMode="email"
            maxLength={254}
          />
          <TextInput
            id="home-phone"
            name="phone"
            label="Phone"
            type="tel"
            autoComplete="tel"
            inputMode="tel"
            maxLength={24}
          />
          <Select id="home-service" name="service" label="Service" defaultValue="">
            <option value="">Choose a service</option>
            {SERVICES.map((service) => (
              <option key={service}>{service}</option>
            ))}
          </Select>
          <TextInput
            id="home-doctor"
            name="doctor"
            label="Preferred doctor"
            type="text"
            autoComplete="off"
            maxLength={120}
          />
          <TextInput id="home-date" name="date" label="Day" type="date" min={window.first} max={window.last} />
          <Select id="home-time" name="time" label="Time (IST)" defaultValue="">
            <option value="">Any time</option>
            <optgroup label="Morning">
              {MORNING.map((time) => (
                <option key={time}>{time}</option>
              ))}
            </optgroup>
            <optgroup label="Afternoon">
              {AFTERNOON.map((time) => (
                <option key={time}>{time}</option>
              ))}
            </optgroup>
          </Select>
          <TextArea
            className={styles.wide}
            id="home-message"
            name="message"
            label="Message"
            rows={3}
            maxLength={2000}
          />
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
