/** Makes one fragment of the server's HTML interactive, or leaves it as it is. */
import { Component, type ComponentType, createElement, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { HydratedFragment, PageProps } from '@hospital/page';
import type { Host } from './host.ts';

/** Never rejects: a remote that is down costs interactivity, not content. */
export async function hydrateFragment(host: Host, fragment: HydratedFragment, element: Element): Promise<void> {
  const { remote, module, props, identifierPrefix } = fragment;
  const label = `${remote}/${module}`;
  const warn = (error: unknown) => console.error(`${label}: the server's HTML stays`, error);
  try {
    const loaded = await host.loadRemote<{ default: ComponentType<PageProps> }>(label);
    if (!loaded) throw new Error('the remote has no such module');
    const page = createElement(loaded.default, props);
    hydrateRoot(element, createElement(KeepHtml, { element, children: page }), {
      identifierPrefix,
      onCaughtError: warn,
      onUncaughtError: warn,
      onRecoverableError: (error) => console.error(`${label}: not what the server rendered`, error),
    });
    element.setAttribute('data-hydrated', '');
  } catch (error) {
    warn(error);
  }
}

/**
 * Error boundary that shows what stands in the document. Copies of the nodes, so that a form keeps
 * what was typed and posts natively, without handlers of the component that failed.
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

/** `cloneNode` copies what was typed into inputs and text areas, not what was chosen in selects. */
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
