/** The desk's note on an appointment: its page, form and API call. */
import { defineForm } from '@hospital/form/declaration';
import { type Outcome, outcomeOfAction } from '@hospital/form/outcome';
import { optional, parseParagraphs } from '@hospital/form/rules';
import type { PageData, PageProps } from '@hospital/page';
import type { Listed } from './appointment.ts';

const NOTE_PATH = '/staff/note';
const CHARACTERS_MAX = 300;
/** No character that an address or a header could misread. */
const PLAIN = /^[\w-]{1,64}$/;

export type NoteProps = Omit<PageProps, 'data'> & { data: Partial<PageData<{ appointment: Listed }>> };

/** Returns the page of a note. It has the random id, which names no person. */
export function noteAddress(id: string): string {
  return `${NOTE_PATH}/${encodeURIComponent(id)}`;
}

export const noteForm = defineForm({
  id: 'booking.desk.note',
  page: NOTE_PATH,
  fields: {
    id: { label: '' },
    etag: { label: '' },
    note: {
      label: 'Note for the desk',
      hint: `Only staff see it. At most ${CHARACTERS_MAX} characters. An empty note is removed.`,
      maxLength: CHARACTERS_MAX,
    },
  },
  rules: ({ note }) => ({ note: optional(parseParagraphs(note, CHARACTERS_MAX)) }),
  request: ({ id, etag, note }) =>
    PLAIN.test(id) && PLAIN.test(etag)
      ? {
          method: 'POST',
          template: '/appointments/{appointment_id}:setNote',
          params: { appointment_id: id },
          headers: { 'If-Match': `"${etag}"` },
          body: { note: note.trim() },
          receipt: {
            title: 'The note is saved',
            text: 'The page can’t be shown right now.',
            facts: { Reference: 'reference', Patient: 'patientName' },
          },
        }
      : null,
  outcome: (answer: Partial<Listed>) => (answer.reference ? (answer as Listed) : null),
  failure: 'The note was not saved',
});

export type NoteOutcome = Outcome<typeof noteForm>;

export function noteOutcome({ action, now }: Pick<NoteProps, 'action' | 'now'>): NoteOutcome {
  return outcomeOfAction(noteForm, action, { now });
}

/** Returns the note, which an older service does not send. */
export function noteOf({ deskNote }: Partial<Pick<Listed, 'deskNote'>>): string {
  return deskNote ?? '';
}
