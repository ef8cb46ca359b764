import { classNames } from '@hospital/ui/class-names';
import type { PhoneNumber } from '@hospital/ui/site';
import type { Blog, BlogSection } from '@hospital/api/types';
import { Picture } from '../parts/picture.tsx';
import { paragraphsOf } from '../parts/text.ts';
import prose from '../parts/prose.module.css';
import styles from './blog.module.css';
import { marked } from '@hospital/page/language';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

interface BodyProps {
  post: Blog;
  /** The number on warning cards. */
  emergency: PhoneNumber;
}

/** Text of a post: its sections, its HTML sanitised by the service, or plain paragraphs. */
export function Body({ post: { sections, contentHtml, content }, emergency }: BodyProps) {
  if (sections.length > 0) {
    return (
      <div className={prose.prose}>
        {sections.map((section, index) => (
          <Section key={`${index} ${section.heading}`} {...{ section, emergency }} id={sectionId(index)} />
        ))}
      </div>
    );
  }
  // The service sanitises this HTML with an allowlist.
  if (contentHtml)
    return (
      <div
        className={prose.prose}
        lang={marked(contentHtml) ? 'en' : undefined}
        dangerouslySetInnerHTML={{ __html: contentHtml }}
      />
    );
  return (
    <div className={prose.prose}>
      <Paragraphs text={content} />
    </div>
  );
}

/** Returns the first text of a post that can be in English on a page in another language. */
export function englishPart({ sections, contentHtml, content }: Blog): string {
  return sections[0]?.text || contentHtml || content;
}

/** The sections with headings, as links. Left out if there are fewer than three. */
export function Contents({ post: { sections } }: { post: Blog }) {
  const entries = sections.flatMap(({ heading }, index) => (heading ? [{ heading, id: sectionId(index) }] : []));
  if (entries.length < 3) return null;
  return (
    <nav className={styles.contents} aria-labelledby="contents">
      <h2 id="contents">{t('In this article')}</h2>
      <ol>
        {entries.map(({ heading, id }) => (
          <li key={id}>
            <a href={`#${id}`}>
              <Text>{heading}</Text>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface SectionProps {
  section: BlogSection;
  id: string;
  emergency: PhoneNumber;
}

function Section({ section, id, emergency }: SectionProps) {
  const { heading, text, image, alignment } = section;
  const isWarning = WARNING.test(heading);
  return (
    <section
      className={classNames(
        styles.section,
        isWarning && styles.warning,
        alignment === 'imageRight' && styles.imageRight,
      )}
    >
      {heading && (
        <h2 id={id}>
          <Text>{heading}</Text>
        </h2>
      )}
      {image && (
        <div className={styles.sectionPicture}>
          <Picture of={section} />
        </div>
      )}
      <Paragraphs text={text} />
      {isWarning && (
        <p className={styles.help}>
          <a className={styles.callNow} href={`tel:${emergency.e164}`}>
            {t('Call {number}', { number: emergency.display })}
          </a>{' '}
          <a href="/emergency">{t('First aid')}</a>
        </p>
      )}
    </section>
  );
}

/** Headings of sections about when to seek help. */
const WARNING = /^(when to (call|come)|come to hospital|see a doctor|get help|warning signs|red flags)\b/i;

function sectionId(index: number): string {
  return `section-${index + 1}`;
}

function Paragraphs({ text }: { text: string }) {
  return paragraphsOf(text).map((paragraph, index) => (
    <p key={index}>
      <Text>{paragraph}</Text>
    </p>
  ));
}
