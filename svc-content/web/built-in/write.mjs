/**
 * Generates the built-in fallback content of the pages from the content files. It consists of the three articles that
 * replace the blog, and the emergency page with its phone numbers. Run `npm run built-in -w @hospital/content-web`
 * after changing those files, and commit the result.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';

const HERE = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const content = (name) => parse(readFileSync(join(HERE, '../../content', `${name}.toml`), 'utf8'));
const paragraphs = (text) => text.trim().split(/\n{2,}/);

/** Slug rule of blog titles: keeps letters, digits, spaces and hyphens; spaces become hyphens. */
const slugOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replace(/ /g, '-')
    .replace(/-+/g, '-');

function articles() {
  const records = content('articles').article.map(({ id, category, read_time: readTime, title, date, author, image, summary, content: text }) => ({
    id, slug: slugOf(title), category, readTime, title, date, author, image, summary, paragraphs: paragraphs(text),
  })); // prettier-ignore
  return `${source('articles')}
export interface BuiltInArticle {
  id: string;
  slug: string;
  category: string;
  readTime: string;
  title: string;
  /** YYYY-MM-DD. */
  date: string;
  author: string;
  image: string;
  summary: string;
  paragraphs: string[];
}

export const ARTICLES: readonly BuiltInArticle[] = ${JSON.stringify(records, null, 2)};
`;
}

function emergency() {
  const { page, emergency: topics } = content('pages');
  const { title, meta_description: description, intro } = page.find((candidate) => candidate.slug === 'emergency');
  const { phone, address } = content('site');
  const number = (purpose) => {
    const { label, display } = phone.find((candidate) => candidate.purpose === purpose);
    return { purpose, label, display, e164: display.replace(/[^+\d]/g, '') };
  };
  const { street, locality, city, postal_code: code } = address;
  const record = {
    title, description, intro,
    topics: topics.map(({ id, title: name, call, steps = [], avoid, today, home }) => ({
      id, title: name, call, steps, avoid, today, home,
    })),
    phones: [number('emergency'), number('ambulance')],
    address: `${street}, ${locality}, ${city} ${code}`,
  }; // prettier-ignore
  return `${source('pages and site')}
export interface Topic {
  id: string;
  title: string;
  call: readonly string[];
  steps: readonly string[];
  avoid: string;
  today?: string;
  home?: string;
}

const topics: readonly Topic[] = ${JSON.stringify(record.topics, null, 2)};

export const EMERGENCY = ${JSON.stringify({ ...record, topics: undefined }, null, 2).replace('\n', '\n  topics,\n')};
`;
}

const source = (files) => `// Written by built-in/write.mjs from content files: ${files}.`;

/** Returns the generated texts by file path below src. */
export function builtIn() {
  return new Map([
    ['parts/articles.ts', articles()],
    ['emergency/built-in.ts', emergency()],
  ]);
}

if (process.argv[1]?.endsWith('write.mjs')) {
  for (const [name, text] of builtIn()) writeFileSync(join(HERE, '../src', name), text);
}
