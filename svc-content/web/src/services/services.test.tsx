// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import ServicePage, * as one from '../service/service.tsx';
import ServicesPage, * as all from './services.tsx';
import { DOWN, MISSING, SERVICE, SITE, ofType, ok, props } from '../../test/answers.ts';

afterEach(cleanup);

const list = (services = [SERVICE, { ...SERVICE, id: 'wards', slug: 'wards', name: 'Wards' }]) =>
  props({ services: ok({ services, nextPageToken: '' }), site: ok(SITE) }, {}, '/services');
const shown = (changes = {}, slug = SERVICE.slug) =>
  props({ service: ok({ ...SERVICE, ...changes }), site: ok(SITE) }, { slug }, `/service/${slug}`);
const showAll = (given: Parameters<typeof ServicesPage>[0]) =>
  render(
    <main>
      <ServicesPage {...given} />
    </main>,
  ).container;
const show = (given: Parameters<typeof ServicePage>[0]) =>
  render(
    <main>
      <ServicePage {...given} />
    </main>,
  ).container;

describe('the services', () => {
  it('are cards with features, and help in an emergency beside them', async () => {
    const container = showAll(list());
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Our Services');
    const cards = [...container.querySelectorAll<HTMLElement>('[data-card]')];
    const links = cards.map((card) => within(card).getByRole('link', { name: /^Learn More/ }));
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Learn More about ICU', '/service/icu-intensive-care-unit'],
      ['Learn More about Wards', '/service/wards'],
    ]);
    expect(cards[0]?.querySelector('dl')?.textContent).toBe(
      'WhereSecond floorOpenDay and nightCall+91 80 0000 0100 about ICU',
    );
    expect([...(cards[0]?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)).toEqual(
      SERVICE.features,
    );
    expect(screen.getByRole('link', { name: 'Contact Emergency' }).getAttribute('href')).toBe('/contact');
    expect(screen.getByRole('link', { name: 'Call +91 80 0000 0999' }).getAttribute('href')).toBe('tel:+918000000999');
    expect(screen.getByRole('heading', { name: 'Why Choose Sampige Hospital' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Book Your Service' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Book Appointment' }).getAttribute('href')).toBe('/appointment');
    expect(screen.getByRole('link', { name: 'Contact Us' }).getAttribute('href')).toBe('/contact');
    expect(await brokenRules(container)).toEqual([]);
  });

  it('show that there are none, or that they are unavailable', async () => {
    expect(showAll(list([])).textContent).toContain('No services to show at the moment.');
    cleanup();
    const down = props({ services: DOWN, site: DOWN }, {}, '/services');
    const container = showAll(down);
    expect(container.textContent).toContain('The list of services can’t be shown right now');
    expect([all.status(list()), all.status(down), all.head(down).canonicalPath]).toEqual([200, 503, '/services']);
    expect(await brokenRules(container)).toEqual([]);
  });
});

describe('one service', () => {
  it('shows what it does, how and with what', async () => {
    const container = show(shown());
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('ICU');
    for (const text of [
      'First paragraph.',
      'Second paragraph.',
      'A doctor at every hour',
      'Monitors',
      'Doctor present 24/7',
      'WhereSecond floorOpenDay and night',
    ]) {
      expect(container.textContent).toContain(text);
    }
    expect(screen.getByRole('heading', { name: 'Book Your Service' })).toBeTruthy();
    expect(await brokenRules(container)).toEqual([]);
  });

  it('offers a call instead of a booking where minutes count', () => {
    show(shown({ slug: 'ambulance-services', name: 'Ambulance Services' }, 'ambulance-services'));
    expect(screen.getAllByRole('link', { name: 'Call +91 80 0000 0102' })).toHaveLength(2);
    expect(screen.queryByRole('link', { name: 'Book Appointment' })).toBeNull();
  });

  it('shows the emergency number without any data', () => {
    for (const service of [ok({ ...SERVICE, slug: 'emergency-services' }), DOWN]) {
      const given = props({ service, site: DOWN }, { slug: 'emergency-services' }, '/service/emergency-services');
      const container = show(given);
      expect(screen.getAllByRole('link', { name: 'Call +91 80 0000 0108' })[0]?.getAttribute('href')).toBe(
        'tel:+918000000108',
      );
      expect(container.textContent).not.toContain('Book Appointment');
      cleanup();
    }
  });

  it('is the 404 page if unknown, and a failure if unavailable', async () => {
    const unknown = props({ service: MISSING, site: ok(SITE) }, { slug: 'x' }, '/service/x');
    const container = show(unknown);
    expect(container.textContent).toContain('404Page Not Found');
    expect([one.status(unknown), one.head(unknown).robots]).toEqual([404, 'noindex']);
    expect(await brokenRules(container)).toEqual([]);
    cleanup();
    const down = props({ service: DOWN, site: DOWN }, { slug: 'x' }, '/service/x');
    expect(show(down).textContent).toContain('This service can’t be shown right now');
    expect(one.status(down)).toBe(503);
  });

  it('has one canonical URL', () => {
    expect([one.location(shown()), one.location(shown({}, 'icu'))]).toEqual([null, '/service/icu-intensive-care-unit']);
    const { canonicalPath, jsonLd } = one.head(shown({}, 'icu'));
    expect(canonicalPath).toBe('/service/icu-intensive-care-unit');
    expect(ofType(jsonLd, 'Service')).toMatchObject({
      name: 'ICU',
      provider: { '@id': 'https://hospital.example/#hospital' },
    });
    expect(ofType(jsonLd, 'BreadcrumbList').itemListElement).toHaveLength(3);
  });
});
