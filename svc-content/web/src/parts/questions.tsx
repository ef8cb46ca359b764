import type { Surgery } from '@hospital/api/types';
import { Accordion } from '@hospital/ui/accordion';
import layout from '@hospital/ui/layout.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

/** Section of a page's frequent questions; nothing if there are none. */
export function Questions({ faqs }: Pick<Surgery, 'faqs'>) {
  if (faqs.length === 0) return null;
  return (
    <section className={layout.unprinted} aria-labelledby="faq">
      <h2 id="faq">{t('Frequently asked questions')}</h2>
      <Accordion
        name="faq"
        items={faqs.map(({ question, answer }) => ({
          title: question,
          content: (
            <p>
              <Text>{answer}</Text>
            </p>
          ),
        }))}
      />
    </section>
  );
}
