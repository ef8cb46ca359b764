/** A text of Markdown or HTML, with the text as visitors see it. The script adds the tools and keeps the text current. */
import type { ComponentProps } from 'react';
import { classNames } from '@hospital/ui/class-names';
import { TextArea } from '@hospital/ui/text-area';
import { INTENT, recordAddress } from './records.ts';
import type { Rendered } from './rendered.ts';
import prose from '../parts/prose.module.css';
import rows from '@hospital/ui/desk-row.module.css';
import own from './content.module.css';

interface TextEditorProps {
  named: ComponentProps<typeof TextArea>;
  path: string;
  /** Kind of the record. */
  kind: string;
  /** Path of the page. */
  action: string;
  /** The text as the button showed it. */
  rendered: Rendered | null;
}

/** Part of the page of a new record, which reads nothing from the API. */
const PART = 'content:/staff/content/{kind}/new';

const TOOLS = [
  ['bold', 'Bold'],
  ['italic', 'Italic'],
  ['link', 'Link'],
  ['heading', 'Heading'],
  ['list', 'List'],
  ['quote', 'Quote'],
] as const;

export function TextEditor({ named, path, kind, action, rendered }: TextEditorProps) {
  const shown = `${named.id}-shown`;
  return (
    <div
      className={own.wide}
      data-editor={recordAddress(kind, 'new')}
      data-part={PART}
      data-failed="We can’t update this at the moment. It shows an earlier text."
    >
      <TextArea {...named} />
      <template>
        <div className={own.steps} role="group" aria-label="Format the text">
          {TOOLS.map(([tool, label]) => (
            <button
              key={tool}
              type="button"
              className={classNames(rows.change, own.button)}
              data-tool={tool}
              aria-controls={named.id}
            >
              {label}
            </button>
          ))}
        </div>
      </template>
      <p className={own.steps}>
        <button
          className={classNames(rows.change, own.button)}
          name={INTENT}
          value={`text:${path}`}
          formAction={`${action}#${shown}`}
        >
          Show the text as it will look
        </button>
      </p>
      <section id={shown} className={own.shown} aria-label="As visitors see it" tabIndex={-1} hidden={!rendered}>
        <p className={own.hint}>As visitors see it. It is not saved yet.</p>
        <p className={own.error} role="status" data-problem="">
          {rendered?.problem}
        </p>
        {/* The service sanitises this HTML with an allowlist. */}
        <div className={prose.prose} data-shown="" dangerouslySetInnerHTML={{ __html: rendered?.html ?? '' }} />
      </section>
    </div>
  );
}
