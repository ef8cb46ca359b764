import { createElement, Fragment, type ReactNode } from 'react';
import { marked } from './language.ts';

/** Renders a text of a record, marked as English if it is English on a page of another language. */
export function Text({ children }: { children: string }) {
  return marked(children) ? <span lang="en">{children}</span> : children;
}

/**
 * Renders a text whose parameters are elements, such as a link within a sentence:
 * `<Filled text={template('Call {phone} now.')} with={{ phone: <a href="tel:…">…</a> }} />`.
 */
export function Filled({ text, with: parts }: { text: string; with: Readonly<Record<string, ReactNode>> }) {
  // Odd places are the names between braces.
  const nodes = text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 ? parts[piece] : piece));
  return createElement(Fragment, null, ...nodes.filter((node) => node !== ''));
}
