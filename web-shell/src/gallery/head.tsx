import type { Head } from '@hospital/page';

/** Returns the head of the gallery, whose content is a fragment. */
export function head(): Head {
  return {
    title: 'Gallery of components',
    description: 'All components of web-kit in all their states.',
    canonicalPath: '/gallery',
    robots: 'noindex',
  };
}

export default function GalleryHead() {
  return null;
}
