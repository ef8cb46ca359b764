// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from './accessibility.tsx';
import { AsideCard } from './aside-card.tsx';
import { trailTo } from './breadcrumb.tsx';
import { LinkButton } from './button.tsx';
import { CallToAction } from './call-to-action.tsx';
import { EmergencyCard } from './emergency-card.tsx';
import { EntryCard } from './entry-card.tsx';
import { absentHead, titled } from './head.ts';
import { Pager } from './pager.tsx';
import { PageHero } from './page-hero.tsx';
import { Picture, pictureAddress } from './picture.tsx';
import { PostCard } from './post-card.tsx';
import { SearchBox } from './search-box.tsx';
import { siteOf } from './site.ts';
import { Missing, PageNotFound } from './missing.tsx';
import { Unavailable } from './unavailable.tsx';

afterEach(cleanup);

const DOWN = { ok: false as const, status: 503, body: null };
const MISSING = { ok: false as const, status: 404, body: null };
const site = siteOf(DOWN);

it('form an accessible page, also without site data', async () => {
  const { container } = render(
    <main>
      <PageHero title="Services" lead="What we do" trail={trailTo(['Services', '/services'])}>
        <SearchBox
          id="q"
          label="What are you looking for?"
          landmark="Whole site"
          action="/search"
          defaultValue="heart"
        />
      </PageHero>
      <ul>
        <EntryCard name="ICU" description="Care for the seriously ill" href="/service/icu" />
        <PostCard
          href="/blogs/a"
          title="Sleep"
          picture={<Picture address="/a.svg" />}
          badge="News"
          text="Sleep well"
          meta="Today"
        />
      </ul>
      <AsideCard title="At a glance">Four beds</AsideCard>
      <EmergencyCard site={site} text="Come in, with" signs={['Chest pain']} />
      <CallToAction title="Book" text="Choose a day" site={site}>
        <LinkButton href="/appointment">Book</LinkButton>
      </CallToAction>
      <Pager what="posts" path="/blogs" query={{ category: 'A & B' }} later next="t" />
    </main>,
  );
  expect(screen.getByRole('searchbox', { name: 'What are you looking for?' })).toHaveProperty('value', 'heart');
  expect(screen.getByRole('link', { name: 'Older posts' }).getAttribute('href')).toBe(
    '/blogs?category=A%20%26%20B&page=t',
  );
  expect(await brokenRules(container)).toEqual([]);
});

it('the emergency card offers the telephone first, also without site data', () => {
  render(<EmergencyCard site={siteOf(DOWN)} text="Come in" />);
  const [first] = screen.getAllByRole('link');
  expect([first?.textContent, first?.getAttribute('href')]).toEqual(['Call +91 80 0000 0108', 'tel:+918000000108']);
});

describe('missing or unavailable content', () => {
  it('names what is missing or unavailable, and the ways on', async () => {
    const { container } = render(
      <main>
        <PageNotFound what="doctor" list="/doctors" />
      </main>,
    );
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Page Not Found');
    const back = screen.getByRole('link', { name: 'Go Back' });
    // W13: the document script turns it into a step back, as on the shell's 404 page.
    expect([back.getAttribute('href'), back.hasAttribute('data-go-back')]).toEqual(['/doctors', true]);
    expect(await brokenRules(container)).toEqual([]);
    cleanup();
    render(<Unavailable title="Doctor" what="This profile" path="/doctor/x" />);
    expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/doctor/x');
    cleanup();
    render(<Missing title="Blog Not Found" text="There is no such post." list="/blogs" />);
    expect(screen.queryByText('404')).toBeNull();
  });

  it('has a title and is not indexed', () => {
    const titles = { missing: 'Page Not Found', kind: 'Doctor' };
    expect(absentHead(MISSING, DOWN, '/doctor/x', titles)).toMatchObject({
      title: 'Page Not Found | Sampige Hospital',
      robots: 'noindex',
    });
    expect(absentHead(DOWN, DOWN, '/doctor/x', titles).title).toBe(titled('Doctor'));
  });
});

describe('pictures', () => {
  it('are drawings of the module or files of this site only', () => {
    const drawings = { 'blogs/walk': '/remotes/content/walk.svg' };
    expect(pictureAddress('/images/blogs/walk.svg', drawings)).toBe(drawings['blogs/walk']);
    expect(pictureAddress('blogs/walk', drawings)).toBe(drawings['blogs/walk']);
    expect(pictureAddress('/uploads/photo.webp', drawings)).toBe('/uploads/photo.webp');
    for (const foreign of [
      '',
      'https://elsewhere.example/a.svg',
      '//elsewhere.example/a.svg',
      '/\\elsewhere',
      'toString',
    ])
      expect(pictureAddress(foreign, drawings), foreign).toBeUndefined();
  });

  it('show an empty frame without a picture', () => {
    const { container } = render(<Picture address={undefined} />);
    expect([container.querySelector('img'), container.querySelector('span')?.className]).toEqual([null, 'frame']);
  });
});
