/** The form of a newsletter: its subject and its text. */
import type { ReactNode } from 'react';
import { Button } from '@hospital/ui/button';
import { ErrorSummary } from '@hospital/ui/error-summary';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import {
  type Draft,
  LINKS_MAX,
  STEP,
  SUBJECT_CHARACTERS_MAX,
  TEXT_CHARACTERS_MAX,
  type Violation,
  counted,
} from './newsletter.ts';
import { RESULT } from './row.tsx';
import styles from '@hospital/ui/desk.module.css';
import own from './newsletter.module.css';

/** Needs a third of the bytes of the usual encoding for Kannada: the gateway reads at most 64 KiB. */
const ENCODING = 'multipart/form-data';

interface NewsletterFormProps {
  /** Address of the page, without fragment. */
  action: string;
  part: string;
  draft: Draft;
  violations: Violation[];
  /** Fields that the person does not see. */
  hidden: Readonly<Record<string, string>>;
  /** Value of the button. */
  step: string;
  /** Further actions. */
  children?: ReactNode;
}

export function NewsletterForm({ action, part, draft, violations, hidden, step, children }: NewsletterFormProps) {
  const errorOf = (field: string) => violations.find((one) => one.field === field)?.message;
  return (
    <form className={own.form} method="post" action={`${action}#${RESULT}`} encType={ENCODING}>
      <input type="hidden" name="part" value={part} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <TextInput
        id="subject"
        name="subject"
        label="Subject"
        hint={`One line, at most ${SUBJECT_CHARACTERS_MAX} characters. It is also the heading of the mail.`}
        error={errorOf('subject')}
        defaultValue={draft.subject}
        autoComplete="off"
      />
      <TextArea
        id="text"
        name="text"
        label="Text"
        hint={
          `At most ${counted(TEXT_CHARACTERS_MAX)} characters and ${LINKS_MAX} links, no images. An empty line begins a ` +
          'new paragraph. “# ” before a line makes it a heading, “- ” or “1. ” a list item, “> ” a quotation. ' +
          '*Stars* emphasise, **two** more. [Words](https://…) become a link, also with mailto: and tel:.'
        }
        error={errorOf('text')}
        defaultValue={draft.text}
        rows={12}
      />
      <p className={styles.actions}>
        <Button type="submit" name={STEP} value={step}>
          Save and preview
        </Button>
        {children}
      </p>
    </form>
  );
}

/** Renders the broken limits, with links to their fields. */
export function Refused({ violations }: { violations: Violation[] }) {
  return (
    <div id={RESULT} tabIndex={-1}>
      <ErrorSummary
        title="Please check what you wrote"
        errors={violations.map(({ field, message }) => ({ id: field, message }))}
        takesFocus={false}
      />
    </div>
  );
}
