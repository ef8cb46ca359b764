import type { DeskEntry, DocumentInput, DocumentParts } from '@hospital/page';
import { emergencyPhone, siteOf } from '@hospital/ui/site';
import { renderToString } from 'react-dom/server';
import { renderDeskHead } from './head.ts';
import { MenuIcon } from './icons.tsx';
import { Logo } from './logo.tsx';

/** Start page of the staff area. */
export const START = '/staff';

/**
 * Renders the frame of the staff area: who is signed in, the person's pages, and a small emergency number. Works without
 * script. Its style sheet `desk.css` selects by element, because classes of this file would be in every visitor's styles.
 */
export function renderDesk(
  { path, site: result, head, look }: DocumentInput,
  staff: NonNullable<DocumentInput['staff']>,
): DocumentParts {
  const site = siteOf(result);
  const emergency = emergencyPhone(site);
  return {
    htmlAttributes: 'lang="en-IN"',
    head: renderDeskHead(head, site, look),
    before: renderToString(
      <>
        <a href="#main">Skip to main content</a>
        <header>
          <a href={START}>
            <Logo />
            <span>
              {site.name} <b>Staff</b>
            </span>
          </a>
          {staff.pages.length > 0 && (
            <details>
              <summary>
                <MenuIcon />
                Menu
              </summary>
              <nav aria-label="Menu">
                <Pages pages={staff.pages} path={path} />
              </nav>
            </details>
          )}
          <p>
            Emergency <a href={`tel:${emergency.e164}`}>{emergency.display}</a>
          </p>
          <form method="post" action="/staff/sign-out">
            <span>{staff.name}</span> <button>Sign out</button>
          </form>
        </header>
        {staff.pages.length > 0 && (
          <nav aria-label="Staff pages">
            <Pages pages={staff.pages} path={path} />
          </nav>
        )}
      </>,
    ),
    after: '',
  };
}

function Pages({ pages, path }: { pages: readonly DeskEntry[]; path: string }) {
  return (
    <ul>
      {pages.map((page) => (
        <li key={page.path}>
          <a href={page.path} aria-current={current(page.path, path, pages)}>
            {page.label}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Returns `page` for the page itself, and `true` for pages below it that are no entry, such as a record of a list. */
function current(page: string, path: string, pages: readonly DeskEntry[]): 'page' | true | undefined {
  if (path === page) return 'page';
  const isEntry = pages.some((other) => other.path === path);
  return !isEntry && page !== START && path.startsWith(`${page}/`) ? true : undefined;
}
