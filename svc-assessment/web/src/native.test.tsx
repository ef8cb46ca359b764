// @vitest-environment happy-dom
/** Without script: the API calls of posts, and the pages in response. */
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import {
  HIGH,
  HIGH_BODY,
  NOW,
  type Props,
  answered,
  field,
  hydrate,
  leave,
  open,
  props,
  serve,
  step,
  text,
} from '../test/opened.tsx';
import HealthAssessment, { action, head, status } from './health-assessment.tsx';
import HomeAssessment from './home-assessment.tsx';
import { DRAFT_KEY } from './wizard/draft.ts';

const FORM = { ...HIGH, strategies: ['Healthy diet'], step: '1', part: 'assessment:/health-assessment' };
const RESULT = {
  bmi: 31, bmiCategory: 'Obese', diabetesRisk: 'High Risk', stressLevel: 'High Stress', overallLevel: 'High',
  indianBmiCategory: 'Obese', indianDiabetesRisk: 'Not enough information', recommendations: [],
}; // prettier-ignore
const SCORED = { id: '', stored: false, result: RESULT };
const KEPT = { id: 'a1b2', stored: true, result: RESULT };
const native = (values: Parameters<typeof posted>[0]) => inEngine(() => action(posted(values), NOW));

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.reject(new TypeError('nobody is asked'))),
  );
});
afterEach(async () => {
  await leave();
  cleanup();
  vi.unstubAllGlobals();
});

describe('the request of a post', () => {
  it('is the payload, without consent that was not given', () => {
    expect(native(FORM)).toMatchObject({ method: 'POST', path: '/assessments', body: HIGH_BODY });
    expect(Object.keys(native(FORM)?.body ?? {})).toEqual(Object.keys(HIGH_BODY));
  });

  it('contains the consent, and the answered extra questions', () => {
    const { body } = native({ ...FORM, consent: 'yes', waist: '92,5', parents: 'one' }) ?? {};
    expect(body).toMatchObject({ ...HIGH_BODY, consent: true, indianMeasures: { waist: 92.5, parents: 'one' } });
  });

  it.each<Parameters<typeof posted>[0]>([{}, { step: '9', age: '', strategies: [] }])(
    'sends unanswered questions as empty: %o',
    (form) => {
      const { body } = native(form) ?? {};
      expect(body).toMatchObject({ personalInfo: { gender: '' }, copingStrategies: { strategies: [] } });
      expect(JSON.stringify(body)).not.toMatch(/null|NaN|consent/);
    },
  );

  it('calls nothing for a step or an impossible number', () => {
    expect(native({ ...FORM, intent: 'next' })).toBeNull();
    expect(native({ ...FORM, age: '121' })).toBeNull();
  });

  it('is a removal', () => {
    expect(native({ intent: 'remove', savedId: 'a1/b2' })).toEqual({
      method: 'DELETE', path: '/assessments/a1%2Fb2', body: null,
    }); // prettier-ignore
  });
});

describe('as served', () => {
  const pages: [string, Props, number][] = [
    ['plain', props(), 200],
    ['without data', props({ data: { site: { ok: false, status: 503, body: null } } }), 200],
    ['the second step', answered({ ...FORM, intent: 'next' }, 204, null), 200],
    ['refused here', answered({ ...FORM, age: '0', waist: '1' }, 204, null), 400],
    ['refused there', answered(FORM, 400, { fields: [{ field: 'personalInfo.height', message: 'Too high' }] }), 400],
    ['scored', answered(FORM, 200, SCORED), 200],
    ['kept', answered({ ...FORM, consent: 'yes', waist: '92', activity: 'both', parents: 'one' }, 201, KEPT), 200],
    ['nobody there, nothing to keep', answered(FORM, 503, null), 200],
    ['nobody there, with consent', answered({ ...FORM, consent: 'yes' }, 503, null), 503],
    ['removed', answered({ intent: 'remove', savedId: 'a1b2' }, 200, {}), 200],
    ['not removed', answered({ intent: 'remove', savedId: 'a1b2' }, 503, null), 503],
  ];

  it.each(pages)('%s: is accessible, renders in the engine, hydrates without a mismatch', async (_, given, code) => {
    expect(status(given)).toBe(code);
    expect(head(given).robots).toBe(given.action ? 'noindex' : undefined);
    // W11: an error comes first in the title.
    expect(head(given).title.startsWith('Error: ')).toBe(status(given) === 400);
    const main = serve(HealthAssessment, given);
    expect(await brokenRules(main)).toEqual([]);
    await hydrate(HealthAssessment, given, main);
    expect(await brokenRules(main)).toEqual([]);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('has all questions in one form, including the extra ones', () => {
    serve(HealthAssessment, props());
    const names = [...document.querySelectorAll('main form [name]')].map((control) => control.getAttribute('name'));
    expect([...new Set(names)]).toEqual([
      ...Object.keys(HIGH), 'strategies', 'consent', 'waist', 'activity', 'parents', 'intent', 'step', 'part',
    ]); // prettier-ignore
    expect(document.querySelectorAll('main fieldset[data-of]')).toHaveLength(4);
    expect(document.querySelector('main [hidden]')).toBeNull();
    expect(screen.getByRole('button', { name: 'See my results' })).toBeTruthy();
    expect(text()).toContain('If you leave the box empty, we keep nothing.');
  });

  it('shows the results of the service, and that nothing was kept', () => {
    serve(HealthAssessment, answered(FORM, 200, { ...SCORED, result: { ...RESULT, stressLevel: 'Moderate Stress' } }));
    expect(step()).toBe('5');
    expect(text()).toContain('6 of 6 points Moderate Stress');
    expect(text()).toContain('We haven’t kept your answers.');
    expect(field('age').value).toBe('52');
  });

  it('shows the results, and that saving failed, if the service does not respond', () => {
    serve(HealthAssessment, answered({ ...FORM, consent: 'yes' }, 503, null));
    expect(text()).toContain('High Stress');
    expect(text()).toContain('Could not save assessment. Please try again later.');
  });

  it('offers to remove saved answers, and does not save them twice', () => {
    serve(HealthAssessment, answered({ ...FORM, consent: 'yes' }, 201, KEPT));
    const removal = screen.getByRole('button', { name: 'Remove my saved answers' }).closest('form');
    expect(Object.fromEntries(new FormData(removal as HTMLFormElement))).toEqual({
      intent: 'remove', savedId: 'a1b2', part: 'assessment:/health-assessment',
    }); // prettier-ignore
    expect((document.getElementById('consent') as HTMLInputElement).checked).toBe(false);
  });

  it('shows the result of a removal', () => {
    serve(HealthAssessment, answered({ intent: 'remove', savedId: 'a1b2' }, 200, {}));
    expect(text()).toContain('We’ve removed your saved answers.');
    document.querySelector('main')?.remove();
    serve(HealthAssessment, answered({ intent: 'remove', savedId: 'a1b2' }, 503, null));
    expect(text()).toContain('couldn’t remove them just now');
    expect(field('savedId').value).toBe('a1b2');
  });

  it('shows a violation at its field, and keeps the value', () => {
    serve(HealthAssessment, answered({ ...FORM, age: '0' }, 204, null));
    expect(document.getElementById('age-error')?.textContent).toContain('from 1 to 120');
    expect(document.querySelector('main [role=alert] a')?.getAttribute('href')).toBe('#age');
    expect(field('age').value).toBe('0');
  });
});

describe('on the home page', () => {
  const home = () => props({ path: '/', part: 'assessment:home-assessment' });
  const form = () => document.querySelector('main form') as HTMLFormElement;

  it('is the first step, posted to the page with the next one', async () => {
    const main = serve(HomeAssessment, home());
    expect(await brokenRules(main)).toEqual([]);
    expect(form().getAttribute('action')).toBe('/health-assessment');
    expect([...new Set([...form().elements].map((control) => control.getAttribute('name')))].filter(Boolean)).toEqual([
      'age', 'gender', 'height', 'weight', 'intent', 'step', 'part',
    ]); // prettier-ignore
    const sent = new FormData(form(), screen.getByRole('button', { name: 'Next' }));
    const asked = Object.fromEntries([...sent].map(([name, value]) => [name, String(value)]));
    expect(native({ ...asked, age: '52', intent: 'next' })).toBeNull();
    await leave();
    await open(HealthAssessment, answered({ ...asked, age: '52', gender: 'female', intent: 'next' }, 204, null));
    expect([step(), field('age').value]).toEqual(['2', '52']);
    expect(document.querySelector<HTMLInputElement>('[name=gender]:checked')?.value).toBe('female');
  });

  it('is small until it is touched', () => {
    expect(serve(HomeAssessment, home()).innerHTML.length).toBeLessThan(6144);
  });

  it('keeps values from before its script loaded, and the focus', async () => {
    const main = serve(HomeAssessment, home());
    field('age').focus();
    fireEvent.input(field('age'), { target: { value: '4' } });
    fireEvent.click(document.querySelector('[name=gender][value=male]') as HTMLElement);
    await hydrate(HomeAssessment, home(), main);
    expect(document.activeElement).toBe(field('age'));
    expect([field('age').value, document.querySelector<HTMLInputElement>('[name=gender]:checked')?.value]).toEqual([
      '4',
      'male',
    ]);
    expect(JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? '{}').values).toMatchObject({ age: '4', gender: 'male' });
    expect(await brokenRules(main)).toEqual([]);
  });

  it('continues on the page where it was left here, and vice versa', async () => {
    await open(HomeAssessment, home());
    fireEvent.input(field('age'), { target: { value: '52' } });
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    await leave();
    await open(HealthAssessment);
    expect([step(), field('age').value]).toEqual(['2', '52']);
    await leave();
    expect(
      sessionStorage.getItem(
        serve(HomeAssessment, home()).querySelector<HTMLElement>('[data-resume]')?.dataset.resume ?? '',
      ),
    ).not.toBeNull();
  });
});
