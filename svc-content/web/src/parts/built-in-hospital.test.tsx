import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { builtInPosts } from '../blog/post.ts';
import HomeAbout from '../home/about.tsx';
import HomeBlogs from '../home/blogs.tsx';
import HomeServices from '../home/services.tsx';
import { DOWN, SITE, ok, props } from '../../test/answers.ts';
import { isBuiltInHospital } from './built-in-hospital.ts';

const OWN = ok(SITE);
const OTHER = ok({ ...SITE, name: 'Belaku Eye Hospital', foundedYear: 2004 });

function shown(Section: unknown, site: typeof OWN): string {
  const Any = Section as ComponentType<object>;
  return renderToStaticMarkup(<Any {...props({ site, services: DOWN, blogs: DOWN, about: DOWN })} />);
}

it('texts of the built-in hospital are shown while services are down', () => {
  expect([OWN, DOWN, undefined].map(isBuiltInHospital)).toEqual([true, true, true]);
  for (const Section of [HomeServices, HomeBlogs]) expect(shown(Section, OWN)).not.toBe('');
  expect(shown(HomeAbout, OWN)).toContain('18+');
  expect(builtInPosts(OWN)).toHaveLength(3);
});

it('texts of the built-in hospital are left out on the site of another one', () => {
  expect(isBuiltInHospital(OTHER)).toBe(false);
  for (const Section of [HomeServices, HomeBlogs]) expect(shown(Section, OTHER)).toBe('');
  const about = shown(HomeAbout, OTHER);
  expect(about).toContain('2004');
  expect(about).not.toMatch(/1979|18\+|intensive care/);
  expect(builtInPosts(OTHER)).toEqual([]);
});
