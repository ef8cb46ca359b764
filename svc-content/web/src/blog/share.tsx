import { FacebookIcon, LinkIcon, WhatsAppIcon, XIcon } from '../parts/icons.tsx';
import { Button, LinkButton } from '@hospital/ui/button';
import { NewTab } from '@hospital/ui/new-tab';
import styles from './blog.module.css';
import { t } from '../messages.ts';

interface ShareProps {
  title: string;
  /** Absolute URL of the post. */
  url: string;
}

function ways({ title, url }: ShareProps) {
  const [text, link, both] = [title, url, `${title} ${url}`].map(encodeURIComponent);
  return [
    { name: 'WhatsApp', icon: <WhatsAppIcon />, href: `https://wa.me/?text=${both}` },
    { name: 'X', icon: <XIcon />, href: `https://x.com/intent/post?text=${text}&url=${link}` },
    { name: 'Facebook', icon: <FacebookIcon />, href: `https://www.facebook.com/sharer/sharer.php?u=${link}` },
  ];
}

/** Plain links, without the services' scripts. The copy button appears once the script runs. */
export function Share({ title, url }: ShareProps) {
  return (
    <section className={styles.share} aria-labelledby="share">
      <h2 className={styles.shareTitle} id="share">
        {t('Share this post')}
      </h2>
      <ul className={styles.ways}>
        {ways({ title, url }).map(({ name, icon, href }) => (
          <li key={name}>
            <LinkButton tone="secondary" href={href} target="_blank" rel="noopener noreferrer nofollow">
              {icon}
              {name}
              <NewTab />
            </LinkButton>
          </li>
        ))}
        <li>
          <Button tone="secondary" data-copy={url} hidden>
            <LinkIcon />
            {t('Copy link')}
          </Button>
        </li>
      </ul>
      <p className={styles.copied} role="status" data-copied="" />
    </section>
  );
}

/** The same links as icons, beside the post. */
export function SocialIcons({ title, url }: ShareProps) {
  return (
    <ul className={styles.icons}>
      {ways({ title, url }).map(({ name, icon, href }) => (
        <li key={name}>
          <a
            className={styles.icon}
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            aria-label={t('Share on {name} (opens in a new tab)', { name })}
          >
            {icon}
          </a>
        </li>
      ))}
    </ul>
  );
}
