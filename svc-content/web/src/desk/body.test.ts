/** Each record of the content files survives its form unchanged. */
import { describe, expect, it } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { BODY, type Body, bodyOf, digestOf, formPath, restOf, valuesFrom, valuesOf } from './body.ts';
import { withoutKey } from './declaration.ts';
import { differencesOf } from './difference.ts';
import { bodiesOf, kindNamed } from './fixtures.ts';
import { GROUPS } from './kinds.ts';

const formOf = (kind: string) => kindNamed(kind).form;
const recordsOf = bodiesOf;

const KINDS = GROUPS.flatMap(({ kinds }) => kinds.map(({ form }) => form.kind));

/** Sends a form as a browser does, and reads it as the page does. */
function sent(form: ReturnType<typeof formOf>, body: Body) {
  const values = inEngine(() => valuesOf(form, body));
  const fields = Object.entries(values).map(([path, value]) => [BODY + path, value.replaceAll('\n', '\r\n')]);
  const rest = JSON.parse(JSON.stringify(restOf(form, body))) as Body;
  return inEngine(() =>
    bodyOf(form, valuesFrom(form, posted(Object.fromEntries(fields) as Record<string, string>)), rest),
  );
}

describe.each(KINDS)('the form of %s', (kind) => {
  it.each(recordsOf(kind).map((body, index) => [index, body] as const))('keeps record %i', (_, body) => {
    for (const form of [formOf(kind), withoutKey(formOf(kind))]) {
      const after = sent(form, body);
      expect(after).toEqual({ body, violations: [] });
      expect(digestOf(after.body)).toBe(digestOf(body));
    }
  });

  it('shows everything', () => {
    for (const body of recordsOf(kind)) {
      const rest = restOf(formOf(kind), body);
      const unseen = JSON.stringify(rest)
        .replace(/\{"purpose":"\w+"\},?/g, '')
        .replace(/"\w+":\[\],?/g, '');
      expect(unseen).toBe('{}');
    }
  });

  it('fits into the 100 fields that the gateway reads', () => {
    for (const body of recordsOf(kind)) expect(Object.keys(valuesOf(formOf(kind), body)).length).toBeLessThan(85);
  });

  it('keeps fields that it does not know', () => {
    const [body] = recordsOf(kind) as [Body];
    const more: Body = { ...body, newer: { deep: [1, { a: null }] } };
    for (const [key, value] of Object.entries(body)) {
      const isRows = Array.isArray(value) && value.length > 0 && typeof value[0] === 'object';
      if (isRows) more[key] = (value as Body[]).map((row, index) => ({ ...row, newer: index }));
    }
    expect(sent(formOf(kind), more).body).toEqual(more);
  });
});

describe('a body', () => {
  const doctor = formOf('doctor');
  const surgery = formOf('surgery');
  const [operation] = recordsOf('surgery') as [Body];

  it('of another type than the form shows is kept', () => {
    const body = {
      ...(recordsOf('doctor')[0] as Body),
      about: { kn: 'ಹೃದಯ' },
      languages: 'Kannada',
      consultation_fee_rupees: 'free',
    };
    expect(sent(doctor, body).body).toEqual(body);
  });

  it('loses the rows that were left empty', () => {
    const values = { ...valuesOf(surgery, operation) };
    values['faqs[1].question'] = '';
    values['faqs[1].answer'] = '';
    const { body } = bodyOf(surgery, values, restOf(surgery, operation));
    const faqs = operation.faqs as Body[];
    expect(body.faqs).toEqual([faqs[0], ...faqs.slice(2)]);
    expect(formPath(surgery, values, 'faqs[1].answer')).toBe('faqs[2].answer');
    expect(formPath(surgery, values, 'cost.packages[0].from_rupees')).toBe('cost.packages[0].from_rupees');
    expect(formPath(surgery, values, 'indications[3]')).toBe('indications');
    expect(formPath(surgery, values, 'about')).toBe('about');
  });

  it('names fields whose text is no number, no time and no row', () => {
    const refused = (kind: string, values: Record<string, string>) =>
      bodyOf(formOf(kind), values, {}).violations.map(({ path, message }) => `${path} ${message}`);
    expect(refused('doctor', { consultation_fee_rupees: '₹800' })).toEqual([
      'consultation_fee_rupees Consultation fee in rupees: enter digits only, such as 800',
    ]);
    expect(refused('surgery', { 'cost.packages[0].name': 'A', 'cost.packages[1].to_rupees': '1 lakh' })).toEqual([
      'cost.packages[1].to_rupees To, in rupees (Package 2): enter digits only, such as 800',
    ]);
    expect(refused('news', { published_at: 'tomorrow' })).toHaveLength(1);
    expect(refused('search', { answer: '/a | b\n/c' })).toEqual([
      'answer Pages that answer: line 2 needs 2 parts (page | phrases), but has 1',
    ]);
  });

  it('may have prototype names', () => {
    const body = JSON.parse('{"__proto__": {"a": 1}, "constructor": "x", "name": "A"}') as Body;
    const rest = restOf(doctor, body);
    expect(rest.constructor).toBe('x');
    expect(bodyOf(doctor, valuesOf(doctor, body), rest).body.name).toBe('A');
    expect(({} as Body).a).toBeUndefined();
  });
});

describe('a difference', () => {
  const form = formOf('surgery');
  const [body] = recordsOf('surgery') as [Body];

  it('names the field, with what was before and after', () => {
    expect(differencesOf(form, body, { ...body, duration: '2 hours' })).toEqual([
      { label: 'Duration', before: body.duration, after: '2 hours' },
    ]);
    expect(differencesOf(form, body, body)).toEqual([]);
  });

  it('shows the changed lines of a list, and the changed part of a long text', () => {
    const about = [...(body.about as string[])];
    about[1] = about[1]?.replace('is advised', 'may be advised') as string;
    const [long] = differencesOf(form, body, { ...body, about });
    expect(long?.after).toContain('may be advised');
    expect(long?.before.length).toBeLessThan(120);
    const indications = (body.indications as string[]).slice(1);
    expect(differencesOf(form, body, { ...body, indications })).toEqual([
      { label: 'When it helps', before: (body.indications as string[])[0], after: '' },
    ]);
    expect(differencesOf(form, body, { ...body, indications: [...(body.indications as string[])].reverse() })).toEqual([
      { label: 'When it helps', before: '', after: 'In another order' },
    ]);
  });

  it('names the row of a fixed group, and a change of fields that the form does not show', () => {
    const [site] = recordsOf('site') as [Body];
    const phone = (site.phone as Body[]).map((one, index) =>
      index === 0 ? { ...one, display: '+91 80 0000 0109' } : one,
    );
    const [one] = differencesOf(formOf('site'), site, { ...site, phone });
    expect(one?.label).toBe('Telephone numbers: Emergency');
    expect(one?.after).toContain('0109');
    expect(differencesOf(form, body, { ...body, newer: 1 }).map(({ label }) => label)).toEqual(['Other fields']);
  });
});
