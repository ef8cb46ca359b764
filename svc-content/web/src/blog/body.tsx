import { classNames } from '@hospital/ui/class-names';
import type { Blog, BlogSection } from '@hospital/api/types';
import { Picture } from '../parts/picture.tsx';
import { paragraphsOf } from '../parts/text.ts';
import styles from './blog.module.css';

/** Text of a post: its sections, its HTML sanitised by the service, or plain paragraphs. */
export function Body({ post: { sections, contentHtml, content } }: { post: Blog }) {
  if (sections.length > 0) {
    return (
      <div className={styles.prose}>
        {sections.map((section, index) => (
          <Section key={`${index} ${section.heading}`} section={section} />
        ))}
      </div>
    );
  }
  // The service sanitises this HTML with an allowlist.
  if (contentHtml) return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: contentHtml }} />;
  return (
    <div className={styles.prose}>
      <Paragraphs text={content} />
    </div>
  );
}

function Section({ section: { heading, text, image, alignment } }: { section: BlogSection }) {
  return (
    <section className={classNames(styles.section, alignment === 'imageRight' && styles.imageRight)}>
      {heading && <h2>{heading}</h2>}
      {image && (
        <div className={styles.sectionPicture}>
          <Picture image={image} />
        </div>
      )}
      <Paragraphs text={text} />
    </section>
  );
}

function Paragraphs({ text }: { text: string }) {
  return paragraphsOf(text).map((paragraph, index) => <p key={index}>{paragraph}</p>);
}
