import { useEffect, useRef, useState } from 'react';
import { formatDate } from '@hospital/page/format';
import { Button, LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { CheckList } from '@hospital/ui/lists';
import { Notice } from '@hospital/ui/notice';
import { type Site, emergencyPhone, phoneFor } from '@hospital/ui/site';
import { hoursText } from '../appointment/attendants.ts';
import type { Clinic } from './clinics.ts';
import { TO_PREPARE } from './help.tsx';
import { type Zone, aheadOf, hoursIn } from './zone.ts';
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
        Your consultation is requested
      </h1>
      <p className={styles.lead}>
        Our staff will choose the time and send you the link for the call. You don’t need to do anything until then.
      </p>
      {earlier && (
        <Notice tone="warning">
          We already have your first request, for the day below. Your later changes aren’t included, and we haven’t
          booked a second consultation.
        </Notice>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>Reference</dt>
          <dd className={styles.reference}>{reference}</dd>
        </div>
        {patientName && (
          <div>
            <dt>Patient</dt>
            <dd>{patientName}</dd>
          </div>
        )}
        <div>
          <dt>Day</dt>
          <dd>{formatDate(date)}</dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>
            We’ll tell you, in Indian Standard Time (IST)
            {zone && <span className={styles.zone}>On that day, IST is {aheadOf(zone, date)}.</span>}
          </dd>
        </div>
        {clinic && (
          <>
            <div>
              <dt>Department</dt>
              <dd>{clinic.name}</dd>
            </div>
            <div>
              <dt>Hours</dt>
              <dd>
                {hoursText(clinic.hours)} IST
                {zone && (
                  <span className={styles.zone}>
                    {hoursIn(zone, date, clinic.hours.from, clinic.hours.until)} in {zone.place}
                  </span>
                )}
              </dd>
            </div>
            <div>
              <dt>Fee</dt>
              <dd>₹{clinic.feeRupees}</dd>
            </div>
          </>
        )}
      </dl>
      <h2 className={styles.subtitle}>Have this ready</h2>
      <CheckList items={TO_PREPARE} />
      <p className={styles.after}>
        {phone && (
          <>
            To change or cancel, call <a href={`tel:${phone.e164}`}>{phone.display}</a> and give the reference.{' '}
          </>
        )}
        If it gets worse and can’t wait, call the emergency number{' '}
        <a href={`tel:${emergency.e164}`}>{emergency.display}</a> any time.
      </p>
      <div className={styles.actions}>
        {printable && <Button onClick={() => print()}>Print this page</Button>}
        <LinkButton tone="secondary" href="/">
          Go to the home page
        </LinkButton>
      </div>
    </Card>
  );
}
