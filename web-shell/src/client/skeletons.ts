import styles from '../skeleton.module.css';
import { savesData } from './when-quiet.ts';

/** Delay before a skeleton appears, in milliseconds. A page that responds sooner needs no skeleton. */
const WAIT_MS = 300;
/** Maximum display time in milliseconds, longer than a document may take. The page and its links are then restored. */
const SHOWN_MS_MAX = 15_000;

interface Skeleton {
  route: RegExp;
  shape: string;
  count: number;
  label: string;
}

/** Removes the skeleton, of which a document has at most one. */
let remove: () => void = () => undefined;

/**
 * Shows a skeleton of the page whose link was followed, until the page responds. The body lists the skeletons of all
 * pages. Skipped if the visitor saves data.
 */
export function showSkeletons(): void {
  const skeletons = (document.body.dataset.skeletons ?? '').split('|').filter(Boolean).map(parsed);
  if (!skeletons.length || savesData()) return;
  let timer = 0;
  const stop = () => {
    clearTimeout(timer);
    remove();
  };
  // On the window, so all other listeners have run first.
  addEventListener('click', (event) => {
    const link = followed(event);
    const skeleton = link && skeletons.find(({ route }) => route.test(link.pathname.replace(/^\/[a-z]{2}(?=\/)/, '')));
    if (!skeleton) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => show(skeleton, link), WAIT_MS);
  });
  addEventListener('keydown', ({ key }) => key === 'Escape' && stop());
  addEventListener('pagehide', () => clearTimeout(timer));
  // A page restored from the back/forward cache still shows its skeleton.
  addEventListener('pageshow', stop);
  // Fires when the visitor stops the navigation. Safari and Firefox before 147 lack this event.
  (globalThis as { navigation?: EventTarget }).navigation?.addEventListener('navigateerror', stop);
}

/** Parses a skeleton, such as `/blogs/{slug} text 1 Loading the post`. */
function parsed(text: string): Skeleton {
  const [route = '', shape = '', count = '', ...label] = text.split(' ');
  // Routes contain only letters, digits, hyphens, dots, slashes and parameters.
  const pattern = route.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return { route: new RegExp(`^${pattern}$`), shape, count: Number(count), label: label.join(' ') };
}

/** Returns the link to a page of this site that a click follows in this tab, or null. */
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
  const general = document.querySelector<HTMLElement>('[data-loading]')?.dataset.loading;
  heading.textContent = `${general ?? label}…`;
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
