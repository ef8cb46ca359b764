/** `/appointment/pass` if no pass is kept on this device. The service worker answers this address with a kept pass. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import styles from './appointment/appointment.module.css';
import { t } from './messages.ts';
import { MANAGE_PATH } from './manage/link.ts';

type PassProps = PageProps<{ site: { name: string } }>;

export default function PassPage(_: PassProps) {
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{t('No pass is kept on this device')}</h1>
      <p className={styles.lead}>
        {t(
          'Open your appointment, and choose “Keep on this device”. Your pass then opens here, even without an internet connection. We delete it from the device after the day of your visit.',
        )}
      </p>
      <p>
        <LinkButton href={MANAGE_PATH}>{t('Open your appointment')}</LinkButton>
      </p>
    </div>
  );
}

export function head({ data: { site } }: PassProps): Head {
  return {
    title: site.ok ? `${t('Your appointment pass')} | ${site.body.name}` : t('Your appointment pass'),
    description: t('The appointment that you kept on this device.'),
    canonicalPath: '/appointment/pass',
    robots: 'noindex',
  };
}
