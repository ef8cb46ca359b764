import { useEffect, useRef, useState } from 'react';
import { formatDate } from '@hospital/page/format';
import { Filled } from '@hospital/page/text';
import { Button, LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { CheckList } from '@hospital/ui/lists';
import { Notice } from '@hospital/ui/notice';
import { type Site, emergencyPhone, phoneFor } from '@hospital/ui/site';
import { hoursText } from '../appointment/attendants.ts';
import { t, template } from '../messages.ts';
import { Name } from '../name.tsx';
import type { Clinic } from './clinics.ts';
import { toPrepare } from './help.tsx';
import { type Zone, aheadOf, hoursThere } from './zone.ts';
import type { Requested as Consultation } from './form.ts';
import styles from './confirmation.module.css';

interface RequestedProps {
  consultation: Consultation;
  site: Site;
  clinics: readonly Clinic[];
  zone: Zone | null;
  /** The consultation was requested by an earlier attempt and lacks later changes of the form. */
  earlier?: boolean;
  /** True if it replaces the form in place. It then takes focus, which makes screen readers announce it. */
  focus: boolean;
}

/** Replaces the form. Prints on one page, without details that a stranger at the printer should not read. */
export function Requested({ consultation, site, clinics, zone, earlier, focus }: RequestedProps) {
  const { reference, patientName, date } = consultation;
  const clinic = clinics.find(({ id }) => id === consultation.department);
  const heading = useRef<HTMLHeadingElement>(null);
  const [printable, setPrintable] = useState(false);
  useEffect(() => {
    // Rendered by script only, because printing needs script.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setPrintable(true);
    if (focus) heading.current?.focus();
  }, [focus]);
  const phone = phoneFor(site, 'appointments', 'reception');
  const emergency = emergencyPhone(site);
  return (
    <Card as="section" className={styles.panel} aria-labelledby="requested">
      <h1 className={styles.title} id="requested" tabIndex={-1} ref={heading}>
        {t('Your consultation is requested')}
      </h1>
      <p className={styles.lead}>
        {t(
          'Our staff will choose the time and send you the link for the call. You don’t need to do anything until then.',
        )}
      </p>
      {earlier && (
        <Notice tone="warning">
          {t(
            'We already have your first request, for the day below. Your later changes aren’t included, and we haven’t booked a second consultation.',
          )}
        </Notice>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>{t('Reference')}</dt>
          <dd className={styles.reference}>{reference}</dd>
        </div>
        {patientName && (
          <div>
            <dt>{t('Patient')}</dt>
            <dd>{patientName}</dd>
          </div>
        )}
        <div>
          <dt>{t('Day')}</dt>
          <dd>{formatDate(date)}</dd>
        </div>
        <div>
          <dt>{t('Time')}</dt>
          <dd>
            {t('We’ll tell you, in Indian Standard Time (IST)')}
            {zone && (
              <span className={styles.zone}>
                {t('On that day, IST is {difference}.', { difference: aheadOf(zone, date) })}
              </span>
            )}
          </dd>
        </div>
        {clinic && (
          <>
            <div>
              <dt>{t('Department')}</dt>
              <dd>
                <Name>{clinic.name}</Name>
              </dd>
            </div>
            <div>
              <dt>{t('Hours')}</dt>
              <dd>
                {t('{hours} IST', { hours: hoursText(clinic.hours) })}
                {zone && <span className={styles.zone}>{hoursThere(zone, date, clinic.hours)}</span>}
              </dd>
            </div>
            <div>
              <dt>{t('Fee')}</dt>
              <dd>₹{clinic.feeRupees}</dd>
            </div>
          </>
        )}
      </dl>
      <h2 className={styles.subtitle}>{t('Have this ready')}</h2>
      <CheckList items={toPrepare()} />
      <p className={styles.after}>
        {phone && (
          <>
            <Filled
              text={template('To change or cancel, call {phone} and give the reference.')}
              with={{ phone: <a href={`tel:${phone.e164}`}>{phone.display}</a> }}
            />{' '}
          </>
        )}
        <Filled
          text={template('If it gets worse and can’t wait, call the emergency number {phone} any time.')}
          with={{ phone: <a href={`tel:${emergency.e164}`}>{emergency.display}</a> }}
        />
      </p>
      <div className={styles.actions}>
        {printable && <Button onClick={() => print()}>{t('Print this page')}</Button>}
        <LinkButton tone="secondary" href="/">
          {t('Go to the home page')}
        </LinkButton>
      </div>
    </Card>
  );
}
