import styles from '../skeleton.module.css';
import { isDataDear } from './when-quiet.ts';

/** A page that answers sooner needs no skeleton. */
const WAIT_MS = 300;
/** Longer than a document may take. The page comes back then, and its links can be followed again. */
const SHOWN_MS_MAX = 15_000;

interface Skeleton {
  route: RegExp;
  shape: string;
  count: number;
  label: string;
}

/** The one skeleton of the document: takes it away again. */
let remove: () => void = () => undefined;

/**
 * Shows what a page will look like when its link was followed and it has not answered yet. The body names the skeletons of all pages.
 * Never where data is scarce.
 */
export function showSkeletons(): void {
  const skeletons = (document.body.dataset.skeletons ?? '').split('|').filter(Boolean).map(parsed);
  if (!skeletons.length || isDataDear()) return;
  let timer = 0;
  const stop = () => {
    clearTimeout(timer);
    remove();
  };
  // On the window: by then every other listener has had its say.
  addEventListener('click', (event) => {
    const link = followed(event);
    const skeleton = link && skeletons.find(({ route }) => route.test(link.pathname));
    if (!skeleton) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => show(skeleton, link), WAIT_MS);
  });
  addEventListener('keydown', ({ key }) => key === 'Escape' && stop());
  addEventListener('pagehide', () => clearTimeout(timer));
  // From the back-forward cache the page comes as it was left.
  addEventListener('pageshow', stop);
  // The visitor has stopped the navigation. Safari and Firefox before 147 have no such event.
  (globalThis as { navigation?: EventTarget }).navigation?.addEventListener('navigateerror', stop);
}

/** `/blogs/{slug} text 1 Loading the post` */
function parsed(text: string): Skeleton {
  const [route = '', shape = '', count = '', ...label] = text.split(' ');
  // Routes hold letters, digits, hyphens, dots and parameters.
  const pattern = route.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return { route: new RegExp(`^${pattern}$`), shape, count: Number(count), label: label.join(' ') };
}

/** The link to another page of this site that a click follows in this tab. */
function followed(event: MouseEvent): HTMLAnchorElement | null {
  const { target, defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  if (defaultPrevented || button || metaKey || ctrlKey || shiftKey || altKey || !(target instanceof Element))
    return null;
  const link = target.closest<HTMLAnchorElement>('a[href]');
  if (!link || link.target || link.download || link.origin !== location.origin) return null;
  const isHere = link.pathname === location.pathname && link.search === location.search;
  return isHere && link.hash ? null : link;
}

function show({ shape, count, label }: Skeleton, link: HTMLElement): void {
  const main = document.getElementById('main');
  if (!main) return;
  const [focused, left] = [document.activeElement, scrollY];
  // The page keeps a main landmark and a heading of the first level.
  const skeleton = document.createElement('main');
  skeleton.className = [styles.skeleton, styles[shape]].filter(Boolean).join(' ');
  const status = document.createElement('div');
  status.className = styles.status ?? '';
  status.setAttribute('role', 'status');
  const heading = document.createElement('h1');
  heading.textContent = `${label}…`;
  status.append(heading);
  skeleton.append(status, ...Array.from({ length: count }, () => document.createElement('span')));
  main.hidden = true;
  main.after(skeleton);
  scrollTo(0, 0);
  const timer = setTimeout(() => remove(), SHOWN_MS_MAX);
  remove = () => {
    remove = () => undefined;
    clearTimeout(timer);
    skeleton.remove();
    main.hidden = false;
    scrollTo(0, left);
    if (focused === link) link.focus({ preventScroll: true });
  };
}
