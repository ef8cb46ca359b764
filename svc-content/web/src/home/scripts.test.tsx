// @vitest-environment happy-dom
/** The small scripts of the home page, tested by their visible effect with a fake clock. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import HomeCarousel from './carousel.tsx';
import advance from './carousel.script.ts';
import HomeStats from './stats.tsx';
import countUp from './stats.script.ts';

/** Media queries that match, as visitor preferences. */
let preferences: string[];

beforeEach(() => {
  preferences = [];
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: preferences.some((preference) => query.includes(preference)),
  }));
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the banners', () => {
  let scrollTo: ReturnType<typeof vi.fn>;
  /** Simulates the browser's intersection report after a scroll. */
  let see: (index: number) => void;
  const open = () => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        slides: Element[] = [];
        constructor(report: (entries: { isIntersecting: boolean; target: Element | undefined }[]) => void) {
          see = (index) => report(this.slides.map((target, place) => ({ isIntersecting: place === index, target })));
        }
        observe(slide: Element) {
          this.slides.push(slide);
        }
      },
    );
    const { container } = render(<HomeCarousel />);
    const track = container.querySelector('ul') as HTMLElement;
    scrollTo = vi.fn();
    track.scrollTo = scrollTo as never;
    advance(container);
    return { container, track };
  };
  const place = () => screen.getByText(/^\d \/ 7$/).textContent;
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

  it('advance every 3500 ms and wrap from the last to the first', () => {
    open();
    expect(place()).toBe('1 / 7');
    vi.advanceTimersByTime(3499);
    expect(place()).toBe('1 / 7');
    vi.advanceTimersByTime(1);
    expect(place()).toBe('2 / 7');
    vi.advanceTimersByTime(5 * 3500);
    expect(place()).toBe('7 / 7');
    vi.advanceTimersByTime(3500);
    expect(place()).toBe('1 / 7');
    expect(scrollTo).toHaveBeenCalledTimes(7);
    expect(scrollTo.mock.calls.map(([{ behavior }]) => behavior)).toEqual([...Array(6).fill('smooth'), 'instant']);
  });

  it('move back and forth by hand, wrap both ways, and restart the timer', () => {
    open();
    press('Previous Banner');
    expect(place()).toBe('7 / 7');
    press('Next Banner');
    expect(place()).toBe('1 / 7');
    vi.advanceTimersByTime(3000);
    press('Next Banner');
    vi.advanceTimersByTime(3499);
    expect(place()).toBe('2 / 7');
    vi.advanceTimersByTime(1);
    expect(place()).toBe('3 / 7');
  });

  // W8: works without `scrollend`, which Safari lacks.
  it('continue from where a swipe ended, after the full interval', () => {
    const { track } = open();
    vi.advanceTimersByTime(3000);
    fireEvent.touchStart(track);
    track.dispatchEvent(new Event('scroll'));
    see(4);
    expect(place()).toBe('5 / 7');
    vi.advanceTimersByTime(60_000);
    expect(place(), 'not under the finger').toBe('5 / 7');
    fireEvent.touchEnd(window);
    vi.advanceTimersByTime(3000);
    // Momentum scrolling continues after the finger is lifted.
    track.dispatchEvent(new Event('scroll'));
    see(5);
    vi.advanceTimersByTime(3499);
    expect(place()).toBe('6 / 7');
    vi.advanceTimersByTime(1);
    expect(place()).toBe('7 / 7');
  });

  it('continue from the visible banner when an automatic move is interrupted', () => {
    const { track } = open();
    Object.defineProperty(track, 'clientWidth', { value: 300 });
    Object.defineProperty(track, 'scrollLeft', { value: 40 });
    press('Next Banner');
    expect(place()).toBe('2 / 7');
    fireEvent.pointerDown(track);
    expect(place()).toBe('1 / 7');
  });

  it('count each of several quick presses', () => {
    open();
    press('Next Banner');
    press('Next Banner');
    see(1);
    press('Next Banner');
    expect(place()).toBe('4 / 7');
  });

  it('stop while paused, and can be moved by hand', () => {
    open();
    press('Pause banners');
    expect(screen.getByRole('button', { name: 'Pause banners' }).getAttribute('aria-pressed')).toBe('true');
    vi.advanceTimersByTime(60_000);
    expect(place()).toBe('1 / 7');
    press('Next Banner');
    vi.advanceTimersByTime(60_000);
    expect(place()).toBe('2 / 7');
    press('Pause banners');
    vi.advanceTimersByTime(3500);
    expect(place()).toBe('3 / 7');
  });

  it('stop under reduced motion, without a pause button', () => {
    preferences = ['reduced-motion: reduce'];
    open();
    vi.advanceTimersByTime(60_000);
    expect(place()).toBe('1 / 7');
    expect(screen.queryByRole('button', { name: 'Pause banners' })).toBeNull();
    press('Next Banner');
    expect(place()).toBe('2 / 7');
    expect(scrollTo).toHaveBeenLastCalledWith(expect.objectContaining({ behavior: 'instant' }));
  });

  it.each([
    ['reduced-data: reduce', undefined],
    ['', { saveData: true }],
  ])('show one with reduced data: %s', (preference, connection) => {
    preferences = preference ? [preference] : [];
    vi.stubGlobal('navigator', { connection });
    const { container } = open();
    vi.advanceTimersByTime(60_000);
    expect([...container.querySelectorAll('img')].map((image) => image.alt)).toEqual(['Banner 1']);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('the numbers', () => {
  let seen: (entries: { isIntersecting: boolean; target: Element }[]) => void;
  const observed = vi.fn();
  const open = () => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: typeof seen) {
          seen = callback;
        }
        observe = observed;
        unobserve = vi.fn();
      },
    );
    const { container } = render(
      <HomeStats params={{}} query={{}} data={{} as never} part="" action={null} now="" path="/" />,
    );
    const numbers = [...container.querySelectorAll('dd')];
    countUp(container);
    return {
      texts: () => numbers.map((number) => number.textContent),
      appear: () => seen(numbers.map((target) => ({ isIntersecting: true, target }))),
    };
  };
  const FINAL = ['46+', '50+', '10M+', '24/7'];

  it('count up over 2 seconds once visible', () => {
    const { texts, appear } = open();
    vi.advanceTimersByTime(10_000);
    expect(texts()).toEqual(FINAL);
    appear();
    vi.advanceTimersByTime(20);
    expect(texts()).toEqual(['0+', '0+', '0M+', '24/7']);
    vi.advanceTimersByTime(1000);
    const [years = ''] = texts();
    expect(parseInt(String(years), 10)).toBeGreaterThan(10);
    expect(parseInt(String(years), 10)).toBeLessThan(46);
    vi.advanceTimersByTime(900);
    expect(texts()).not.toEqual(FINAL);
    vi.advanceTimersByTime(200);
    expect(texts()).toEqual(FINAL);
  });

  it('do not count under reduced motion', () => {
    preferences = ['reduced-motion: reduce'];
    observed.mockClear();
    const { texts } = open();
    expect(observed).not.toHaveBeenCalled();
    expect(texts()).toEqual(FINAL);
  });
});
