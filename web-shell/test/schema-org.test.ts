import { describe, expect, it } from 'vitest';
import { renderStructured } from '../src/head.ts';
import { siteOf } from '@hospital/ui/site';
import { schemaOrgProblems } from './schema-org.ts';
import { SITE } from './site-example.ts';

const CONTEXT = { '@context': 'https://schema.org' };

function structuredData(site: unknown): object[] {
  const head = renderStructured(
    { title: 'T', description: 'D', canonicalPath: '/' },
    siteOf({ ok: true, status: 200, body: site }),
  );
  return [...head.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) =>
    JSON.parse(json),
  );
}

describe("schema.org's vocabulary", () => {
  it('accepts the structured data of the hospital', () => {
    for (const site of [SITE, {}]) {
      const [hospital] = structuredData(site);
      expect(schemaOrgProblems(hospital as object)).toEqual([]);
    }
  });

  it('refuses unknown terms', () => {
    const problems = (value: object) => schemaOrgProblems({ ...CONTEXT, ...value });
    expect(schemaOrgProblems({ '@type': 'Hospital' })).toEqual(['@context is not https://schema.org']);
    expect(problems({ '@type': 'Clinicc' })).toEqual(['the object: no such type Clinicc']);
    expect(problems({ '@type': 'Hospital', recipeYield: '4' })).toEqual([
      'Hospital.recipeYield: not a property of this type',
    ]);
    expect(problems({ '@type': 'Hospital', name: 'Sampige', address: { '@type': 'Hospital' } })[0]).toMatch(
      /^Hospital.address: takes /,
    );
    expect(
      problems({
        '@type': 'Hospital',
        openingHoursSpecification: { '@type': 'OpeningHoursSpecification', opens: 'early' },
      })[0],
    ).toMatch(/opens: takes Time/);
    expect(problems({ '@type': 'BlogPosting', datePublished: '12 November' })[0]).toMatch(/datePublished: takes Date/);
    expect(
      problems({
        '@type': 'Physician',
        medicalSpecialty: 'Cardiovascular',
        parentOrganization: { '@id': 'https://x.example/#hospital' },
      }),
    ).toEqual([]);
  });

  it('accepts breadcrumbs', () => {
    const trail = {
      '@type': 'BreadcrumbList',
      itemListElement: [{ '@type': 'ListItem', position: 1, name: 'Home', item: 'https://x.example/' }],
    };
    expect(schemaOrgProblems({ ...CONTEXT, ...trail })).toEqual([]);
  });
});
