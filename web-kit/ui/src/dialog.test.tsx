// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import { brokenRules } from './accessibility.tsx';
import { Dialog } from './dialog.tsx';

afterEach(cleanup);

function Page({ toField = false }: { toField?: boolean }) {
  const [open, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  return (
    <main>
      <h1>Page</h1>
      <button onClick={() => setOpen(true)}>Cancel the appointment</button>
      <Dialog
        open={open}
        title="Cancel this appointment?"
        onClose={() => setOpen(false)}
        initialFocus={toField ? field : undefined}
      >
        <label>
          Reason <input ref={field} />
        </label>
      </Dialog>
    </main>
  );
}

const opener = () => screen.getByRole('button', { name: 'Cancel the appointment' });
const dialog = () => document.querySelector('dialog') as HTMLDialogElement;

function openIt() {
  opener().focus();
  fireEvent.click(opener());
}

it('opens as a modal with a name, and the focus on its title', async () => {
  render(<Page />);
  expect(dialog().open).toBe(false);
  openIt();
  expect(dialog().open).toBe(true);
  expect(screen.getByRole('dialog', { name: 'Cancel this appointment?' })).toBe(dialog());
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2 }));
  expect(await brokenRules(document.body)).toEqual([]);
});

it('focuses the named field', () => {
  render(<Page toField />);
  openIt();
  expect(document.activeElement).toBe(screen.getByLabelText('Reason'));
});

it('closes with its button and returns the focus', () => {
  render(<Page />);
  openIt();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(dialog().open).toBe(false);
  expect(document.activeElement).toBe(opener());
});

it('closes on Escape, which the browser sends as `cancel`, and returns the focus', () => {
  render(<Page />);
  openIt();
  const event = new Event('cancel', { cancelable: true });
  act(() => void dialog().dispatchEvent(event));
  expect(event.defaultPrevented).toBe(true);
  expect(dialog().open).toBe(false);
  expect(document.activeElement).toBe(opener());
});

it('follows a browser that closes it, and opens again', () => {
  render(<Page />);
  openIt();
  act(() => dialog().close());
  expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
  openIt();
  expect(dialog().open).toBe(true);
});

it('stays open when a file picker in it is cancelled', () => {
  render(<Page />);
  openIt();
  act(() => void screen.getByLabelText('Reason').dispatchEvent(new Event('cancel', { bubbles: true })));
  expect(dialog().open).toBe(true);
});

it('returns the focus when it is removed while open', () => {
  function Gone() {
    const [shown, setShown] = useState<'no' | 'open' | 'gone'>('no');
    return (
      <>
        <button onClick={() => setShown('open')}>Cancel the appointment</button>
        {shown === 'open' && (
          <Dialog open title="Cancel?" onClose={() => {}}>
            <button onClick={() => setShown('gone')}>Yes</button>
          </Dialog>
        )}
      </>
    );
  }
  render(<Gone />);
  openIt();
  fireEvent.click(screen.getByRole('button', { name: 'Yes' }));
  expect(document.activeElement).toBe(opener());
});

it('is closed and empty on the server', () => {
  const html = renderToString(<Page />);
  expect(html).toMatch(/<dialog [^>]*><\/dialog>/);
  expect(html).not.toContain(' open');
});
