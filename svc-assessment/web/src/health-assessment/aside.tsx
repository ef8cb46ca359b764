import { AsideCard } from '@hospital/ui/aside-card';
import layout from '@hospital/ui/layout.module.css';
import { type Site, emergencyPhone } from '@hospital/ui/site';
import { HELPLINE, NO_DIAGNOSIS } from '../results/meanings.ts';

/** What to know before the first question, and where to get urgent help. */
export function Aside({ site }: { site: Site }) {
  const emergency = emergencyPhone(site);
  return (
    <aside className={layout.aside} aria-label="About this assessment">
      <AsideCard title="Private">
        <p>
          We don’t ask for your name or number. We keep nothing unless you tick a box that says what we keep and for how
          long.
        </p>
      </AsideCard>
      <AsideCard title="What it can’t tell you">
        <p>{NO_DIAGNOSIS}</p>
      </AsideCard>
      <AsideCard title="Help now">
        <p>
          In an emergency, call <a href={`tel:${emergency.e164}`}>{emergency.display}</a>. For mental health support,
          call {HELPLINE.name} on <a href={`tel:${HELPLINE.e164}`}>{HELPLINE.display}</a>, free, day and night.
        </p>
      </AsideCard>
    </aside>
  );
}
