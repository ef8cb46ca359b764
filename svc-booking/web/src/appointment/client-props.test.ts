import { expect, it } from 'vitest';
import type { Doctor, NextAvailable } from '@hospital/api/types';
import { clientProps } from './client-props.ts';
import { pageProps } from './fixtures.ts';

const DOCTOR: Doctor = {
  id: 'doc-01', slug: 'dr-asha-rao', name: 'Dr. Asha Rao', specialty: 'Cardiology', specialtyKey: 'cardiology',
  degrees: 'MBBS', experience: '14 Years', visitingDays: 'Mon', timings: '9:00 AM - 1:00 PM', consultationFee: '₹600',
  image: '/a.svg', about: 'Long.', initials: 'AR', education: [], specializations: [], achievements: [], seoTitle: '',
  metaDescription: '', focusKeyword: '', registrationNumber: '', closedToNewPatients: false, languages: ['Kannada'],
}; // prettier-ignore
const NEXT: NextAvailable = {
  doctor: 'doc-01', department: 'cardiology', date: '2026-11-23', time: '9:00 AM', startsAt: '2026-11-23T03:30:00Z',
  resource: 'doctor:doc-01', days: [],
}; // prettier-ignore

it('keeps the fields that the page reads, and everything else but data', () => {
  const props = pageProps({ query: { department: 'cardiology' } });
  const data = {
    ...props.data,
    doctors: { ok: true as const, status: 200, body: { doctors: [DOCTOR] } },
    next: { ok: true as const, status: 200, body: { next: [NEXT] } },
  };
  const reduced = clientProps({ ...props, data });
  expect(reduced).toMatchObject({ ...props, data: { departments: props.data.departments } });
  const { id, specialty, degrees, image, initials, languages } = DOCTOR;
  expect(reduced.data.doctors).toEqual({
    ok: true,
    status: 200,
    body: { doctors: [{ id, specialty, degrees, image, initials, languages }] },
  });
  const { doctor, date, time } = NEXT;
  expect(reduced.data.next).toEqual({ ok: true, status: 200, body: { next: [{ doctor, date, time }] } });
  const profiles = reduced.data.profiles?.ok && reduced.data.profiles.body?.departmentProfiles;
  expect(Object.keys((profiles && profiles[0]) || {}).sort()).toEqual(['id', 'problems', 'treats']);
  expect(Object.keys((reduced.data.site.ok && reduced.data.site.body) || {})).not.toContain('statistics');
});

it('keeps failed reads', () => {
  const down = { ok: false as const, status: 503, body: null };
  const props = pageProps({ data: { departments: down, site: down, doctors: down, next: down } });
  expect(clientProps(props)).toEqual(props);
});
