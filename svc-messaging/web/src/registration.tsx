/** `/event/{id}/register`: registers people for an event, and confirms with its day and a calendar file. No script. */
import type { Head, PageData, PageProps } from '@hospital/page';
import { formatDate } from '@hospital/page/format';
import { languageQuery } from '@hospital/page/language';
import { Filled, Text } from '@hospital/page/text';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import { nativeAction, nativeStatus } from '@hospital/form/native';
import { nativeTitle } from '@hospital/form/title';
import { type FormState, useForm } from '@hospital/form/use-form';
import type { Event, GetEventPlacesResponse, Site } from '@hospital/api/types';
import { trailTo, Breadcrumb } from '@hospital/ui/breadcrumb';
import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { absentHead, titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { Facts } from '@hospital/ui/lists';
import { Missing } from '@hospital/ui/missing';
import { Notice } from '@hospital/ui/notice';
import { isMissing, statusOf } from '@hospital/ui/read';
import { Select } from '@hospital/ui/select';
import { phoneFor, siteOf } from '@hospital/ui/site';
import { TextInput } from '@hospital/ui/text-input';
import { Unavailable } from '@hospital/ui/unavailable';
import { plural, t, template } from './messages.ts';
import { Honeypot } from './check/honeypot.tsx';
import { PEOPLE_MAX, type Registered, registrationForm } from './registration/form.ts';
import styles from './registration/registration.module.css';

type RegistrationProps = Omit<PageProps, 'data'> & {
  data: PageData<{ event: Event; site: Site }> & Partial<PageData<{ places: GetEventPlacesResponse }>>;
};

export const action = nativeAction(registrationForm);

export default function RegistrationPage(props: RegistrationProps) {
  const { event } = props.data;
  const form = useForm(registrationForm, props, () => (props.action ? {} : { people: '1' }));
  if (form.outcome.kind === 'success') return <Confirmation {...{ props }} registered={form.outcome.answer} />;
  if (isMissing(event))
    return <Missing title={t('Event Not Found')} text={t('There is no event at this address.')} list="/events" />;
  if (!event.ok) return <Unavailable title={t('Event')} what={t('This event')} path={props.path} />;
  const closed = closedBecause(props);
  return (
    <div className={layout.page}>
      <div className={styles.column}>
        <Breadcrumb trail={trail(event.body)} />
        <h1>{t('Register for {event}', { event: event.body.title })}</h1>
        <EventFacts event={event.body} />
        {closed ? (
          <Notice tone="warning" title={closed.title}>
            <p>{closed.text}</p>
          </Notice>
        ) : (
          <RegistrationForm form={form} props={props} event={event.body} />
        )}
      </div>
    </div>
  );
}

/**
 * Returns why nobody can register; null if people can. A form that was sent is shown again with what was typed, even if
 * the event is full by now.
 */
function closedBecause({ action: posted, data: { event, places } }: RegistrationProps) {
  if (!event.ok) return null;
  const { cancelled, past } = event.body;
  if (cancelled) return { title: t('Cancelled'), text: t('{reason} Registration is closed.', { reason: cancelled }) };
  if (past) return { title: undefined, text: t('This event is over. Registration is closed.') };
  const isFull = places?.ok && places.body.places > 0 && places.body.left <= 0;
  return isFull && !posted ? { title: t('Full'), text: t('All places are taken. Registration is closed.') } : null;
}

interface RegistrationFormProps {
  form: FormState<typeof registrationForm>;
  props: RegistrationProps;
  event: Event;
}

function RegistrationForm({ form, props, event }: RegistrationFormProps) {
  const context = { now: props.now };
  const reception = phoneFor(siteOf(props.data.site), 'reception');
  const { places } = props.data;
  const left = places?.ok && places.body.places > 0 ? places.body.left : null;
  return (
    <Form className={styles.form} form={form} context={context} action={props.path}>
      <FormAlert form={form} />
      {left !== null && left > 0 && <p>{plural('{count} place is left.|{count} places are left.', left)}</p>}
      <TextInput {...form.field('name')} />
      <TextInput {...form.field('phone')} />
      <TextInput {...form.field('email')} />
      <Select {...form.field('people')}>
        {Array.from({ length: PEOPLE_MAX }, (_, index) => String(index + 1)).map((count) => (
          <option key={count}>{count}</option>
        ))}
      </Select>
      <Honeypot />
      <input type="hidden" name="event" value={event.id} />
      <input type="hidden" name="about" value={`${event.title}, ${dayOf(event)}`} />
      <SubmitButton form={form} context={context} busy={t('Sending...')}>
        {t('Register')}
      </SubmitButton>
      {reception && (
        <p>
          <Filled
            text={template('Or call {phone}.')}
            with={{ phone: <a href={`tel:${reception.e164}`}>{reception.display}</a> }}
          />
        </p>
      )}
    </Form>
  );
}

function Confirmation({ props, registered }: { props: RegistrationProps; registered: Registered }) {
  const { event, site: answer } = props.data;
  const site = siteOf(answer);
  const people = registered.registration?.people ?? 1;
  const reception = phoneFor(site, 'reception');
  return (
    <div className={layout.page}>
      <Card as="section" className={styles.column} aria-labelledby="registered">
        <h1 id="registered">{t('You’re registered')}</h1>
        <p>
          {t('Thank you, {name}.', { name: registered.name })}{' '}
          {plural('We’ll keep a place for you.|We’ll keep {count} places for you.', people)}
        </p>
        {event.ok && (
          <h2>
            <Text>{event.body.title}</Text>
          </h2>
        )}
        {event.ok && <EventFacts event={event.body} reference={registered.reference} />}
        <div className={layout.actions}>
          {event.ok && (
            <LinkButton
              download={`${event.body.id}.ics`}
              href={`/api/events/${encodeURIComponent(event.body.id)}/calendar${languageQuery()}`}
            >
              {t('Add to calendar')}
            </LinkButton>
          )}
          <LinkButton tone="secondary" href="/events">
            {t('All Events')}
          </LinkButton>
        </div>
        {reception && (
          <p>
            <Filled
              text={template(
                'Can’t come after all? Use the link in our e-mail, or call {phone} and give your reference.',
              )}
              with={{ phone: <a href={`tel:${reception.e164}`}>{reception.display}</a> }}
            />
          </p>
        )}
      </Card>
    </div>
  );
}

function EventFacts({ event, reference }: { event: Event; reference?: string }) {
  return (
    <Facts
      facts={[
        ...(reference ? [[t('Reference'), reference] as [string, string]] : []),
        [t('Date'), dayOf(event)],
        [t('Time'), t('{time} IST', { time: event.time })],
        [t('Place'), event.location],
        [t('Price'), event.price > 0 ? `₹${event.price}` : t('Free')],
      ]}
    />
  );
}

/** Formats `Saturday 28 November 2026`; returns the text unchanged if it is not a date. */
function dayOf({ date }: Event): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? formatDate(date) : date;
}

function trail(event: Event) {
  const path = `/event/${encodeURIComponent(event.id)}`;
  return trailTo([t('News & Events'), '/events'], [event.title, path], [t('Register'), `${path}/register`]);
}

export function head(props: RegistrationProps): Head {
  const { event, site } = props.data;
  if (!event.ok) return absentHead(event, site, props.path, { missing: t('Event Not Found'), kind: t('Event') });
  return {
    title: nativeTitle(registrationForm, titled(t('Register for {event}', { event: event.body.title }), site), props),
    description: t('Register for {event} on {date}.', { event: event.body.title, date: dayOf(event.body) }),
    canonicalPath: `/event/${encodeURIComponent(event.body.id)}/register`,
    robots: 'noindex, follow',
  };
}

export function status(props: RegistrationProps): number {
  return props.action ? nativeStatus(registrationForm)(props) : statusOf(props.data.event);
}
