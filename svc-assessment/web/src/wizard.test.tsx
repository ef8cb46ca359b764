// @vitest-environment happy-dom
/** Paths through the wizard, with a real server in place of the API. */
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Api, type Reply, reply, serveApi } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import {
  HIGH, HIGH_BODY, answer, answerAll, button, consent, field, goToResults, leave, open, press, step, text,
} from '../test/opened.tsx'; // prettier-ignore
import HealthAssessment from './health-assessment.tsx';
import { DRAFT_KEY } from './wizard/draft.ts';

const KEPT = { id: 'a1b2', stored: true, consent: true };
const FAILURE = 'Could not save assessment. Please try again later.';

let api: Api;
let given: Reply;
const toasts = () => document.querySelector('section[aria-label=Notifications]')?.textContent ?? '';
const isShown = (name: string) => !field(name).closest('[hidden]');

beforeEach(async () => {
  (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.api')] = undefined;
  sessionStorage.clear();
  given = reply.json(201, KEPT);
  api = await serveApi((request) => (request.method === 'DELETE' ? reply.json(200, {}) : given));
  vi.stubGlobal('fetch', vi.fn(api.fetch));
});

afterEach(async () => {
  await leave();
  cleanup();
  await api.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('steps', () => {
  it('shows one at a time with its number, and focuses its heading', async () => {
    await open(HealthAssessment);
    expect(text()).toContain('Step 1 of 5');
    expect(button('Previous').disabled).toBe(true);
    expect([isShown('age'), isShown('familyHistory'), isShown('waist')]).toEqual([true, false, false]);
    const seen = [];
    for (const name of ['Next', 'Next', 'Next', 'Next: your results']) {
      await press(name);
      seen.push([step(), document.activeElement?.textContent, document.querySelector('progress')?.value]);
    }
    expect(seen).toEqual([
      ['2', 'Diabetes risk', 2], ['3', 'Sleep and stress', 3], ['4', 'Coping strategies', 4], ['5', 'Your results', 5],
    ]); // prettier-ignore
    expect([isShown('age'), isShown('strategies'), isShown('waist')]).toEqual([false, false, true]);
    await press('Previous');
    expect([step(), document.activeElement?.textContent]).toEqual(['4', 'Coping strategies']);
  });

  it('Enter leads to the next step, and never past the results', async () => {
    await open(HealthAssessment);
    const submit = () => act(async () => fireEvent.submit(document.querySelector('main form') as HTMLFormElement));
    for (const expected of ['2', '3', '4', '5', '5']) {
      await submit();
      expect(step()).toBe(expected);
    }
  });

  it.each([
    ['age', '0', 1], ['age', '121', 1], ['age', '41.5', 1], ['age', 'forty', 1], ['height', '5.5', 1], ['height', '251', 1],
    ['weight', '1', 1], ['weight', '-70', 1], ['sleepHours', '25', 3],
  ] as const)('refuses %s of %s at its field with a reason, and keeps it', async (name, value, at) => {
    await open(HealthAssessment);
    for (let one = 1; one < at; one += 1) await press('Next');
    answer(name, value);
    await press('Next');
    expect(step()).toBe(String(at));
    expect(field(name).getAttribute('aria-invalid')).toBe('true');
    const reason = document.getElementById(`${name}-error`)?.textContent ?? '';
    expect(reason).toMatch(/Enter (your|the) .* from \d+ to \d+/);
    expect(document.activeElement?.getAttribute('role')).toBe('alert');
    expect(document.activeElement?.textContent).toContain(reason.replace('Error: ', ''));
    expect(field(name).value).toBe(value);
    expect(await brokenRules(document.querySelector('main') as HTMLElement)).toEqual([]);
    answer(name, '');
    await press('Next');
    expect(step()).toBe(String(at + 1));
    expect(field(name).hasAttribute('aria-invalid')).toBe(false);
  }); // prettier-ignore

  it('U9, W11: an error disappears from field and title when its field is corrected', async () => {
    const title = 'Health assessment | Sampige Hospital';
    document.title = title;
    await open(HealthAssessment);
    answer('age', '121');
    answer('height', '251');
    await press('Next');
    expect(document.title).toBe(`Error: ${title}`);
    field('age').focus();
    answer('age', '52');
    expect(document.getElementById('age-error')).toBeNull();
    expect(screen.getAllByRole('link', { name: /^Enter your/ })).toHaveLength(1);
    expect(document.activeElement).toBe(field('age'));
    answer('height', '163');
    expect(screen.queryByRole('link', { name: /^Enter your/ })).toBeNull();
    expect(document.title).toBe(title);
    await goToResults();
    expect(document.title).toBe('Your results | Sampige Hospital');
  });

  it('no answers give no result: never a number, never low', async () => {
    await open(HealthAssessment);
    await goToResults();
    expect(text()).toContain('Missing results: body mass index, diabetes risk, stress.');
    expect(text().match(/Not enough information/g)?.length).toBeGreaterThanOrEqual(4);
    expect(text()).not.toMatch(/NaN|undefined|Low Risk|Low Stress|\(your result\)/);
    expect(await brokenRules(document.querySelector('main') as HTMLElement)).toEqual([]);
  });
});

describe('results', () => {
  it('shows each in words and on a scale, with what counted and where to go', async () => {
    await open(HealthAssessment);
    answerAll();
    await goToResults();
    const scales = screen.getAllByRole('img').map((scale) => scale.getAttribute('aria-label'));
    expect(scales).toEqual([
      'Overall level: High', 'Body mass index (BMI): 31.0, Obese', 'Diabetes risk: 5 of 5 points, High Risk',
      'Stress level: 6 of 6 points, High Stress',
    ]); // prettier-ignore
    for (const words of ['Obese: 30 or more (your result)', '163.5 cm', 'Family history of diabetesYes · +2 points'])
      expect(text()).toContain(words);
    for (const words of ['This is not a diagnosis', 'World Health Organization', '7-9 hours of sleep a night'])
      expect(text()).toContain(words);
    const links = [...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(
      expect.arrayContaining([
        '/appointment?department=General%20Medicine', '/appointment?department=Psychiatry', 'tel:14416', 'tel:+918011110108',
      ]),
    ); // prettier-ignore
    // Stress is high, so its helpline comes first.
    expect(text().indexOf('You don’t have to cope alone')).toBeLessThan(text().indexOf('When to get help now'));
    expect(await brokenRules(document.querySelector('main') as HTMLElement)).toEqual([]);
  });

  it('lists the helpline after the signs of an emergency when stress is low', async () => {
    await open(HealthAssessment);
    answerAll({ sleepHours: '8', sleepQuality: 'good', workStress: 'low' });
    await goToResults();
    expect(text()).toContain('Low Stress');
    expect(text().indexOf('When to get help now')).toBeLessThan(text().indexOf('If everything feels too much'));
  });

  it('scores the extra questions in the browser, as soon as they are answered', async () => {
    await open(HealthAssessment);
    answerAll();
    await goToResults();
    expect(document.querySelector('details')?.open).toBe(false);
    expect(text()).toContain('Still needed for the score: waist, exercise and work, parents.');
    answer('waist', '92');
    answer('activity', 'neither');
    answer('parents', 'one');
    expect(text()).toContain('Indian Diabetes Risk Score: 90 of 100 points, High Risk');
    expect(text()).toContain('by the Indian cut-offs: Obese');
    answer('waist', '9200');
    await act(async () => fireEvent.blur(field('waist')));
    expect(document.getElementById('waist-error')?.textContent).toContain('from 30 to 250');
    expect(text()).toContain('Still needed for the score: waist.');
    expect(fetch).not.toHaveBeenCalled();
  });

  it('offers the same as a file made in the browser', async () => {
    const blobs: Blob[] = [];
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (blob: Blob) => (blobs.push(blob), 'blob:x') }));
    await open(HealthAssessment);
    answerAll();
    await goToResults();
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    await press('Download as text');
    expect(clicked).toHaveBeenCalledOnce();
    const file = (await blobs[0]?.text()) ?? '';
    for (const line of [
      'Health assessment, 22 November 2026',
      'Diabetes risk: 5 of 5 points, High Risk',
      '- Healthy diet',
    ])
      expect(file.split('\r\n')).toContain(line);
    expect(file).toContain('Tele-MANAS');
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('consent', () => {
  it('without it, nothing leaves the browser', async () => {
    await open(HealthAssessment);
    answerAll();
    await goToResults();
    await press('Previous');
    await press('Next: your results');
    await leave();
    await open(HealthAssessment);
    expect(step()).toBe('5');
    expect(text()).toContain('We haven’t sent anything.');
    await press('Take Assessment Again');
    expect(fetch).not.toHaveBeenCalled();
    expect(toasts()).not.toContain('Assessment saved!');
  });

  it('is not ticked by default, and explains what it means', async () => {
    await open(HealthAssessment);
    expect(consent().checked).toBe(false);
    const said = document.getElementById(consent().getAttribute('aria-describedby') ?? '')?.textContent ?? '';
    for (const words of ['Kept', 'Not kept', 'exact time', 'Two years', 'remove them', 'stay in this browser'])
      expect(said).toContain(words);
  });

  it('with it, sends the answers once, on entering the results, and nothing else', async () => {
    await open(HealthAssessment);
    answerAll();
    answer('waist', '92');
    fireEvent.click(consent());
    expect(api.seen).toEqual([]);
    await goToResults();
    await waitFor(() => expect(text()).toContain('We’ve kept your answers, without your name.'));
    expect(api.seen.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      { method: 'POST', path: '/assessments', body: { ...HIGH_BODY, consent: true } },
    ]);
    expect(api.seen[0]?.key).toMatch(/^[\x21-\x7e]{16,128}$/);
    expect(toasts()).toContain('Assessment saved!');
    expect(toasts()).toContain('Your health assessment has been saved.');
    await press('Previous');
    await press('Next: your results');
    await leave();
    await open(HealthAssessment);
    expect(text()).toContain('We’ve kept your answers, without your name.');
    expect(api.seen).toHaveLength(1);
    expect(await brokenRules(document.querySelector('main') as HTMLElement)).toEqual([]);
  });

  it('tells when the saved answers predate a change', async () => {
    await open(HealthAssessment);
    answerAll();
    fireEvent.click(consent());
    await goToResults();
    await waitFor(() => expect(text()).toContain('We’ve kept'));
    await press('Previous');
    fireEvent.click(screen.getByLabelText('Social support'));
    await press('Next: your results');
    expect(text()).toContain('We’ve kept your earlier answers');
    expect(api.seen).toHaveLength(1);
  });

  it('reports a failure, keeps the results, and retries under the same key', async () => {
    given = reply.json(500, { title: 'Down', status: 500 });
    await open(HealthAssessment);
    answerAll();
    fireEvent.click(consent());
    await goToResults();
    await waitFor(() => expect(text()).toContain(FAILURE));
    expect(text()).toContain('High Stress');
    expect(toasts()).toContain('Error');
    expect(toasts()).toContain(FAILURE);
    // The answers changed in between: the first request, which may have been stored, is retried.
    await press('Previous');
    fireEvent.click(screen.getByLabelText('Social support'));
    given = reply.json(201, KEPT);
    await press('Next: your results');
    await waitFor(() => expect(text()).toContain('We’ve kept your earlier answers'));
    const [first, second] = api.seen;
    expect(api.seen).toHaveLength(2);
    expect([second?.key, second?.body]).toEqual([first?.key, first?.body]);
  });

  it('a reload before the response retries under the same key', async () => {
    given = reply.stalled;
    await open(HealthAssessment);
    answerAll();
    fireEvent.click(consent());
    await goToResults();
    await waitFor(() => expect(api.seen).toHaveLength(1));
    expect(text()).toContain('Saving your answers…');
    await leave();
    given = reply.json(201, KEPT);
    await open(HealthAssessment);
    await waitFor(() => expect(text()).toContain('We’ve kept your answers'));
    const [first, second] = api.seen;
    expect([second?.key, second?.body]).toEqual([first?.key, first?.body]);
  });

  it('the next try after a refusal has a new key', async () => {
    given = reply.json(400, { title: 'No', status: 400 });
    await open(HealthAssessment);
    fireEvent.click(consent());
    await goToResults();
    await waitFor(() => expect(text()).toContain(FAILURE));
    given = reply.json(201, KEPT);
    await press('Try again');
    await waitFor(() => expect(text()).toContain('We’ve kept your answers'));
    expect(new Set(api.seen.map(({ key }) => key)).size).toBe(2);
  });

  it('is withdrawn with one button, permanently', async () => {
    await open(HealthAssessment);
    answerAll();
    fireEvent.click(consent());
    await goToResults();
    await waitFor(() => button('Remove my saved answers'));
    await press('Remove my saved answers');
    await waitFor(() => expect(text()).toContain('We’ve removed your saved answers.'));
    expect(api.seen.at(-1)).toMatchObject({ method: 'DELETE', path: '/assessments/a1b2' });
    expect(consent().checked).toBe(false);
    expect(text()).toContain('High Stress');
    const sent = api.seen.length;
    await leave();
    await open(HealthAssessment);
    expect(api.seen).toHaveLength(sent);
    expect(text()).toContain('We’ve removed your saved answers.');
  });
});

describe('the tab', () => {
  it('keeps answers and step across a reload', async () => {
    await open(HealthAssessment);
    answerAll();
    await press('Next');
    await press('Next');
    await leave();
    await open(HealthAssessment);
    expect(step()).toBe('3');
    expect(Object.fromEntries(Object.keys(HIGH).map((name) => [name, valueOf(name)]))).toEqual(HIGH);
    expect(screen.getByLabelText<HTMLInputElement>('Healthy diet').checked).toBe(true);
  });

  it.each(['not JSON', '{"version":0,"step":3}', '{"version":1,"step":9,"values":{}}'])(
    'drops a draft that it cannot read: %s',
    async (kept) => {
      sessionStorage.setItem(DRAFT_KEY, kept);
      await open(HealthAssessment);
      expect(step()).toBe('1');
    },
  );

  it('works where storage is forbidden', async () => {
    const forbidden = () => {
      throw new DOMException('no', 'SecurityError');
    };
    vi.stubGlobal('sessionStorage', { getItem: forbidden, setItem: forbidden, removeItem: forbidden, clear() {} });
    await open(HealthAssessment);
    answerAll();
    await goToResults();
    expect(text()).toContain('High Stress');
  });

  it('starts again with everything cleared', async () => {
    await open(HealthAssessment);
    answerAll();
    fireEvent.click(consent());
    await goToResults();
    await waitFor(() => expect(text()).toContain('We’ve kept'));
    await press('Take Assessment Again');
    expect(step()).toBe('1');
    expect(document.activeElement?.textContent).toBe('About you');
    expect([...Object.keys(HIGH).map(valueOf), consent().checked]).toEqual([...Array(10).fill(''), false]);
    expect(sessionStorage.getItem(DRAFT_KEY)).toBeNull();
    // The next answers are saved as another assessment.
    fireEvent.click(consent());
    await goToResults();
    await waitFor(() => expect(api.seen).toHaveLength(2));
    expect(api.seen[1]?.key).not.toBe(api.seen[0]?.key);
  });
});

function valueOf(name: string): string {
  const data = new FormData(document.querySelector('main form') as HTMLFormElement);
  return String(data.get(name) ?? '');
}
