// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOWN, ok, props, SITE, words } from '../../test/answers.ts';
import EmergencyPage, { head } from './emergency.tsx';

type EmergencyProps = Parameters<typeof EmergencyPage>[0];

const emergency = (site: EmergencyProps['data']['site'], page: EmergencyProps['data']['page'] = DOWN) =>
  props({ site, page }, {}, '/emergency');

afterEach(cleanup);

describe('the emergency page', () => {
  it('has all its text and numbers without any data', async () => {
    const { container } = render(
      <main>
        <EmergencyPage {...emergency(DOWN)} />
      </main>,
    );
    expect([...container.querySelectorAll('a[href^="tel:"]')].map((link) => link.getAttribute('href'))).toEqual([
      'tel:+918000000108',
      'tel:+918000000102',
      'tel:108',
      'tel:112',
    ]);
    const titles = [
      'Not awake, not breathing normally',
      'Choking',
      'Trouble breathing',
      'Chest pain',
      'Stroke (think FAST)',
      'Heavy bleeding',
      'Severe allergic reaction',
      'Poisoning or snake bite',
      'Fever in a child',
      'Fits (seizures)',
      'Burns',
      'Labour and pregnancy',
      'Dengue warning signs',
    ];
    expect([...container.querySelectorAll('h2')].map(words)).toEqual(titles);
    expect([...container.querySelectorAll('nav a')].map(words)).toEqual(titles);
    for (const link of container.querySelectorAll('nav a'))
      expect(container.querySelector(link.getAttribute('href') as string)).not.toBeNull();
    // The colours of the bands follow from their order.
    for (const section of container.querySelectorAll('section'))
      expect(['Call now', 'Call now, Come in today', 'Call now, Come in today, At home']).toContain(
        [...section.querySelectorAll('h3')].map(words).join(', '),
      );
    expect(container.innerHTML).not.toMatch(/<script|<form| style=| on\w+=/);
    expect(await brokenRules(container)).toEqual([]);
    expect(head(emergency(DOWN))).toMatchObject({
      title: 'In an emergency | Sampige Hospital',
      canonicalPath: '/emergency',
    });
  });

  it('tells by age when to bring a child with fever', () => {
    render(<EmergencyPage {...emergency(DOWN)} />);
    const card = screen.getByRole('heading', { name: 'Fever in a child' }).closest('section') as Element;
    const bands = [...card.querySelectorAll('h3')];
    expect(bands.map(words)).toEqual(['Call now', 'Come in today', 'At home']);
    expect(bands.map((band) => words(band.nextElementSibling as Element))).toEqual([
      expect.stringContaining('Under 3 months: 38°C'),
      expect.stringContaining('3 to 6 months: 39°C'),
      expect.stringContaining('Over 3 months and alert'),
    ]);
  });

  it('prefers the numbers of the site', () => {
    render(<EmergencyPage {...emergency(ok(SITE))} />);
    expect(screen.getByRole('link', { name: 'Call +91 80 0000 0999' }).getAttribute('href')).toBe('tel:+918000000999');
    expect(screen.getByRole('link', { name: 'Ambulance +91 80 0000 0102' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Get directions' }).getAttribute('href')).toContain(
      'destination=12.9,77.6',
    );
  });

  it('shows the first aid of the content', async () => {
    const section = {
      id: 'lime',
      heading: 'Lime in the eye',
      signs: ['Lime'],
      steps: ['Rinse'],
      avoid: ['Don’t rub.'],
    };
    const sections = [{ ...section, paragraphs: [], items: [], contacts: [], icon: '', today: ['Red eye'], home: [] }];
    const page = ok({
      id: 'emergency',
      title: 'Eyes first',
      description: 'Eyes',
      intro: 'Call.',
      sections,
      updated: '',
    });
    const { container } = render(
      <main>
        <EmergencyPage {...emergency(ok(SITE), page)} />
      </main>,
    );
    expect([...container.querySelectorAll('h1, h2, h3')].map(words)).toEqual([
      'Eyes first',
      'Lime in the eye',
      'Call now',
      'Come in today',
    ]);
    expect(container.textContent).toContain('Don’t rub.');
    expect(await brokenRules(container)).toEqual([]);
    expect(head(emergency(ok(SITE), page)).title).toContain('Eyes first');
  });

  it.each([[{ sections: [] }], [null]])('falls back to the built-in first aid for %j', (body) => {
    const { container } = render(<EmergencyPage {...emergency(ok(SITE), ok(body as never))} />);
    expect(container.querySelectorAll('section')).toHaveLength(13);
  });
});
