// @vitest-environment happy-dom
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOCTOR, SERVICE } from '../../test/answers.ts';
import { HASH } from '../desk/media-fixtures.ts';
import { physician } from '../doctor/describe.ts';
import { drawingOf, portraitOf } from './drawings.ts';
import { formOf } from './photograph.tsx';
import { EntryPicture, HeroPicture, Picture } from './picture.tsx';
import { Portrait } from './portrait.tsx';
import { sharedPicture, sharedPortrait } from './share.ts';

afterEach(() => document.body.replaceChildren());

const IMAGE = `/media/${HASH}`;
const FACTS = { width: 1600, height: 2133, widths: [320, 640, 960, 1600], alt: 'A ward', focalX: 50, focalY: 20 };
const UPLOADED = { image: IMAGE, picture: FACTS };
/** Narrower than every usual form. */
const NARROW = { image: IMAGE, picture: { ...FACTS, width: 200, height: 300, widths: [200] } };

function serve(element: ReactElement): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = renderToString(element);
  document.body.append(main);
  return main;
}

const imageIn = (main: HTMLElement) => main.querySelector('img') as HTMLImageElement;

describe('an uploaded picture', () => {
  it('has AVIF and WebP of every width that exists, its size, description and focal point', async () => {
    const main = serve(<Picture of={UPLOADED} />);
    const source = main.querySelector('source');
    expect(source?.type).toBe('image/avif');
    expect(source?.getAttribute('srcset')).toBe(
      [320, 640, 960, 1600].map((width) => `${IMAGE}-${width}.avif ${width}w`).join(', '),
    );
    const image = imageIn(main);
    expect(image.getAttribute('srcset')).toContain(`${IMAGE}-1600.webp 1600w`);
    expect(image.getAttribute('src')).toBe(`${IMAGE}-640.webp`);
    expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['1600', '2133']);
    expect([image.alt, image.dataset.left, image.dataset.top]).toEqual(['A ward', '3', '1']);
    expect([image.getAttribute('loading'), image.getAttribute('fetchpriority')]).toEqual(['lazy', null]);
    expect(image.hasAttribute('style')).toBe(false);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('is loaded first in the first screen, and never names a form that does not exist', () => {
    const image = imageIn(serve(<Picture of={NARROW} first />));
    expect([image.getAttribute('loading'), image.getAttribute('fetchpriority')]).toEqual([null, 'high']);
    expect([image.getAttribute('srcset'), image.getAttribute('src')]).toEqual([
      `${IMAGE}-200.webp 200w`,
      `${IMAGE}-200.webp`,
    ]);
  });

  it.each([
    ['a service of an earlier release', { image: IMAGE }],
    ['no forms yet', { image: IMAGE, picture: { ...FACTS, widths: [] } }],
    ['null', { image: IMAGE, picture: null }],
  ])('leaves the frame empty: %s', (_, of) => {
    expect(serve(<Picture of={of} />).querySelector('img')).toBeNull();
    expect([formOf(of, 320), sharedPicture(of)]).toEqual([undefined, undefined]);
  });

  it('takes the place of the drawing of a service, on its page and card', () => {
    const drawing = drawingOf('services', SERVICE.slug);
    const uploaded = { ...SERVICE, ...UPLOADED };
    expect(imageIn(serve(<HeroPicture of={uploaded} drawing={drawing} />)).srcset).toContain(IMAGE);
    expect(imageIn(serve(<EntryPicture of={uploaded} drawing={drawing} first={false} />)).srcset).toContain(IMAGE);
    const drawn = imageIn(serve(<EntryPicture of={SERVICE} drawing={drawing} first={false} />));
    expect(drawn.getAttribute('src')).toBe(drawing?.address);
  });

  it('is what link previews show, in a form that exists', () => {
    expect(sharedPicture(UPLOADED)).toBe(`${IMAGE}-960.webp`);
    expect(sharedPicture(NARROW)).toBe(`${IMAGE}-200.webp`);
  });
});

describe('a doctor', () => {
  const slug = 'dr-rekha-prabhu';

  it('with a photograph shows it, also to search engines and in previews', () => {
    const doctor = { ...DOCTOR, slug, ...UPLOADED };
    const main = serve(<Portrait doctor={doctor} size={64} />);
    expect(imageIn(main).srcset).toContain(`${IMAGE}-320.webp 320w`);
    // The name is beside it; the initials stay visible behind a broken picture.
    expect([imageIn(main).alt, main.textContent]).toEqual(['', 'NI']);
    expect(sharedPortrait(doctor)).toBe(`${IMAGE}-960.webp`);
    const described = physician(doctor, 'https://a.example', { phones: [], address: {} } as never);
    expect(described).toMatchObject({ image: `https://a.example${IMAGE}-960.webp` });
  });

  it('without one shows the drawing', () => {
    for (const doctor of [
      { ...DOCTOR, slug },
      { ...DOCTOR, slug, image: IMAGE },
    ]) {
      expect(imageIn(serve(<Portrait doctor={doctor} size={64} />)).getAttribute('src')).toBe(portraitOf(slug));
      document.body.replaceChildren();
    }
  });
});
