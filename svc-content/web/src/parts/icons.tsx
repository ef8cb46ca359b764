import type { ReactNode } from 'react';

/** Filled icons, on a 24 px grid. Decoration beside a text. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg width="20" height="20" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      {children}
    </svg>
  );
}

export const WhatsAppIcon = () => (
  <Icon>
    <path d="M12 2a10 10 0 0 0-8.6 15L2 22l5.2-1.4A10 10 0 1 0 12 2Zm0 2a8 8 0 1 1-4.2 14.8l-3 .8.8-2.9A8 8 0 0 1 12 4ZM8.7 7.5c-1.2 0-2 1.7-1.3 3.2a11 11 0 0 0 6 5.5c1.7.5 3.2-.2 3.2-1.7 0-.5-2-1.6-2.5-1.6s-.9 1.3-1.4 1.2a7 7 0 0 1-3.3-3.1c0-.5 1-.9.9-1.5 0-.4-.8-2-1.6-2Z" />
  </Icon>
);

export const XIcon = () => (
  <Icon>
    <path d="M3 3h5.5l4.5 6.2L18.3 3H21l-6.8 7.8L21.5 21H16l-4.9-6.7L5.2 21H2.5l7.4-8.5Zm3.5 1.8 10.4 14.4h1.4L7.9 4.8Z" />
  </Icon>
);

export const FacebookIcon = () => (
  <Icon>
    <path d="M13.5 22v-8.5h3l.5-3.5h-3.5V7.8c0-1.1.5-1.9 2-1.9H17V2.8a20 20 0 0 0-2.5-.1c-2.7 0-4.5 1.6-4.5 4.5V10H7v3.5h3V22Z" />
  </Icon>
);

export const LinkIcon = () => (
  <Icon>
    <path d="M10.5 13.5a1 1 0 0 1 0-1.4l3-3 1.4 1.4-3 3a1 1 0 0 1-1.4 0ZM8 11.5 5.7 13.8a3.2 3.2 0 0 0 4.5 4.5l2.3-2.3 1.4 1.4-2.3 2.3a5.2 5.2 0 0 1-7.3-7.3l2.3-2.3ZM16 12.5l2.3-2.3a3.2 3.2 0 0 0-4.5-4.5L11.5 8 10.1 6.6l2.3-2.3a5.2 5.2 0 0 1 7.3 7.3l-2.3 2.3Z" />
  </Icon>
);

export const FeedIcon = () => (
  <Icon>
    <path d="M4 11a9 9 0 0 1 9 9h-2.5A6.5 6.5 0 0 0 4 13.5ZM4 5a15 15 0 0 1 15 15h-2.5A12.5 12.5 0 0 0 4 7.5ZM6 16a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z" />
  </Icon>
);
