/** Hydrates a fragment of the server's HTML, or leaves it unchanged on failure. */
import { Component, type ComponentType, createElement, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { type Failure, recordFailure } from '@hospital/api/telemetry';
import type { HydratedFragment, PageProps } from '@hospital/page';
import { registerMessages } from '@hospital/page/language';
import type { Host } from './host.ts';
import { HYDRATED, NOT_HYDRATED } from './on-interaction.ts';

const KEPT = "the server's HTML stays";

/**
 * Hydrates a fragment. Never rejects: a remote that is down costs interactivity, not content. Reports failures to the
 * console and to telemetry.
 */
export async function hydrateFragment(host: Host, fragment: HydratedFragment, element: Element): Promise<void> {
  const { remote, module, props, identifierPrefix, messages } = fragment;
  if (messages) registerMessages(messages);
  const version = element.getAttribute('data-version') ?? 'unknown';
  const report = (kind: Failure['kind'], text: string) => (error: unknown) => {
    console.error(`${remote}/${module}: ${text}`, error);
    recordFailure({ team: remote, version, module, kind });
  };
  const loaded = await load(host, `${remote}/${module}`).catch(report('load', KEPT));
  if (!loaded) return void element.dispatchEvent(new Event(NOT_HYDRATED));
  try {
    const page = createElement(loaded.default, props);
    hydrateRoot(element, createElement(KeepHtml, { element, children: page }), {
      identifierPrefix,
      onCaughtError: report('render', KEPT),
      onUncaughtError: report('render', KEPT),
      onRecoverableError: report('hydrate', 'not what the server rendered'),
    });
    element.setAttribute('data-hydrated', '');
    element.dispatchEvent(new Event(HYDRATED));
  } catch (error) {
    report('hydrate', KEPT)(error);
    element.dispatchEvent(new Event(NOT_HYDRATED));
  }
}

async function load(host: Host, name: string): Promise<{ default: ComponentType<PageProps> }> {
  const loaded = await host.loadRemote<{ default: ComponentType<PageProps> }>(name);
  if (!loaded) throw new Error('the remote has no such module');
  return loaded;
}

/**
 * Error boundary that keeps showing the current HTML. It shows copies of the nodes: a form keeps what was typed and
 * posts natively, without handlers of the failed component.
 */
export class KeepHtml extends Component<{ element: Element; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const copies = [...this.props.element.childNodes].map(copyOf);
    return createElement('div', { ref: (holder: HTMLElement | null) => holder?.replaceChildren(...copies) });
  }
}

/** Copies a node with its form values. `cloneNode` copies the values of inputs and text areas, but not of selects. */
function copyOf(node: Node): Node {
  const copy = node.cloneNode(true);
  if (node instanceof Element) {
    const chosen = node.querySelectorAll('select');
    (copy as Element).querySelectorAll('select').forEach((select, index) => {
      select.value = chosen[index]?.value ?? '';
    });
  }
  return copy;
}
