/** `/staff/content/{kind}/new`: the form of a new record. */
import type { FormFields, Head, PageProps, PostAddress } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import { AbsenceNotice } from '@hospital/ui/desk-absence';
import { statusOfFailure } from '@hospital/ui/desk-change';
import { createRequest, newViewOf, recordIn } from './desk/edit.ts';
import { RecordForm, Refusals } from './desk/form.tsx';
import { type Kind, kindOf } from './desk/kinds.ts';
import { Said } from './desk/outcome.tsx';
import { CONTENT_PATH, listAddress, mayWrite, recordAddress } from './desk/records.ts';
import styles from '@hospital/ui/desk.module.css';

/** Returns the kind if records of it can be added. */
function addable(name: string | undefined): Kind | null {
  const kind = kindOf(name);
  return kind?.one ? kind : null;
}

export function action(posted: FormFields, _now: string, { params }: PostAddress) {
  const kind = addable(params.kind);
  return kind && createRequest(kind.form, posted);
}

/** Leads to the page of the new record, which can be reloaded. */
export function location({ action: posted, params }: PageProps): string | null {
  const kind = addable(params.kind);
  if (!posted || !kind || newViewOf(kind.form, posted).outcome?.kind !== 'saved') return null;
  const saved = recordIn(posted.result.body);
  return saved ? recordAddress(saved.kind, saved.recordId) : listAddress(kind.form.kind, { state: 'draft' });
}

export function status(props: PageProps): number {
  const kind = addable(props.params.kind);
  if (!kind) return 404;
  if (location(props)) return 303;
  const { outcome } = newViewOf(kind.form, props.action);
  return outcome ? statusOfFailure(props.action?.result.status ?? 0) : 200;
}

export default function StaffRecordNew(props: PageProps) {
  const kind = addable(props.params.kind);
  if (!kind) {
    return (
      <section className={styles.page}>
        <h1>Content</h1>
        <AbsenceNotice
          title="Nothing of this kind can be added"
          next={<LinkButton href={CONTENT_PATH}>All content</LinkButton>}
        >
          Choose a kind of content in the list.
        </AbsenceNotice>
      </section>
    );
  }
  const { form, title, one } = kind;
  const view = newViewOf(form, props.action);
  return (
    <section className={styles.page}>
      <p>
        <a href={listAddress(form.kind)}>{`All: ${title}`}</a>
      </p>
      <h1>{`Add ${one}`}</h1>
      {!mayWrite(props) && <p>Your role doesn’t include adding content.</p>}
      {mayWrite(props) && (
        <>
          <p>
            It is saved as a draft, which visitors don’t see. You can save it before everything is filled in, and
            publish it later.
          </p>
          <RecordForm
            form={form}
            view={view}
            action={recordAddress(form.kind, 'new')}
            part={props.part}
            intent="create"
          >
            {view.outcome && <Said outcome={view.outcome} kind={kind} record={null} canPublish={false} />}
            <Refusals form={form} view={view} title="Nothing was saved. Please check what you typed" />
          </RecordForm>
        </>
      )}
    </section>
  );
}

export function head(props: PageProps): Head {
  const kind = addable(props.params.kind);
  return {
    title: `${status(props) >= 400 ? 'Error: ' : ''}${kind ? `Add ${kind.one}` : 'Content'}`,
    description: 'Content of the website, for staff.',
    canonicalPath: recordAddress(props.params.kind ?? '', 'new'),
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
