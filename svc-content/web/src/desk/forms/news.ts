/**
 * Forms of posts, news, events, promotions and headlines. Limits are those of svc-content/src/domain/blog.rs, and of
 * notices.rs and posts.rs in svc-content/src/files.
 */
import {
  choice,
  day,
  defineForm,
  idField,
  instant,
  line,
  lines,
  picture,
  rowsOf,
  text,
  whole,
  yesNo,
} from '../declaration.ts';

export const post = defineForm({
  kind: 'post',
  key: 'id',
  title: 'title',
  sections: [
    {
      title: 'Post',
      parts: [
        idField('id', 'better-sleep'),
        line('title', 'Title', 200, { hint: 'The address of the page is made from it.' }),
        line('author', 'Author', 120, { isOptional: true, hint: 'If empty: the hospital.' }),
        line('category', 'Category', 60, { isOptional: true, hint: 'If empty: Health Tips.' }),
        text('summary', 'Summary', 500, { isOptional: true, rows: 3 }),
        text('excerpt', 'Text in lists', 500, {
          isOptional: true,
          rows: 3,
          hint: 'If empty: the beginning of the text.',
        }),
        picture('image', 'Picture', { isOptional: true }),
        lines('tags', 'Tags', 40, { isOptional: true, rows: 3, hint: 'At most 20.' }),
      ],
    },
    {
      title: 'Text',
      parts: [
        text('content', 'Text', 50_000, {
          isOptional: true,
          hint:
            'An empty line begins a new paragraph. **Bold**, *italic*, [link](/services), ## heading, - list and > quote ' +
            'are Markdown. A text with HTML tags is HTML throughout. Not shown if there are sections.',
          rows: 16,
          isRendered: true,
        }),
        rowsOf(
          'sections',
          'Sections',
          'Section',
          [
            line('heading', 'Heading', 200, { isOptional: true }),
            text('text', 'Text', 10_000, { isOptional: true, rows: 8 }),
            picture('image', 'Picture', { isOptional: true }),
            choice(
              'alignment',
              'Side of the picture',
              [
                ['', 'Left'],
                ['imageRight', 'Right'],
              ],
              { isOptional: true },
            ),
          ],
          { isOptional: true, hint: 'Each has its own heading and picture.' },
        ),
      ],
    },
    {
      title: 'In lists',
      parts: [
        instant('published_at', 'Date and time', {
          isOptional: true,
          hint: 'In India, not ahead. Posts are sorted by it. If empty: when the post is first published.',
        }),
        line('read_time', 'Reading time', 40, { isOptional: true, hint: 'If empty: 5 min read.' }),
        yesNo('featured', 'Recommended beside other posts', { isOptional: true }),
      ],
    },
  ],
});

export const news = defineForm({
  kind: 'news',
  key: 'id',
  title: 'title',
  sections: [
    {
      title: 'News',
      parts: [
        idField('id', 'new-icu'),
        line('title', 'Title', 200),
        instant('published_at', 'Date and time', { hint: 'In India. News are sorted by it.' }),
        line('excerpt', 'Summary', 500, { isOptional: true, rows: 3 }),
        text('content', 'Text', 20_000, { hint: 'An empty line begins a new paragraph.', rows: 12 }),
        picture('image', 'Picture'),
        lines('attachments', 'More pictures', undefined, { isOptional: true, rows: 2 }),
      ],
    },
    {
      title: 'Links',
      parts: [
        rowsOf(
          'external_links',
          'Links to other sites',
          'Link',
          [line('label', 'Label', 120), line('url', 'Address', undefined, { hint: 'Begins with https://.' })],
          { isOptional: true },
        ),
        line('source_name', 'Source', 80, { isOptional: true }),
        line('source_url', 'Address of the source', undefined, { isOptional: true, hint: 'Begins with https://.' }),
      ],
    },
    {
      title: 'For search engines',
      parts: [
        line('meta_title', 'Title', 120, { isOptional: true, hint: 'The address of the page is made from it.' }),
        line('meta_description', 'Description', 160, { isOptional: true, rows: 2 }),
      ],
    },
  ],
});

export const event = defineForm({
  kind: 'event',
  key: 'id',
  title: 'title',
  sections: [
    {
      title: 'Event',
      parts: [
        idField('id', 'heart-day-2026'),
        line('title', 'Title', 120),
        line('type', 'Type', 40, { hint: 'For example Health Camp, Class or Seminar.' }),
        line('description', 'Description', 1000, { rows: 5 }),
        line('location', 'Place', 160),
        line('performer', 'Held by', 80),
        whole('price', 'Price in rupees', { hint: '0 if it is free, at most 100,000.' }),
        whole('places', 'Places', { isOptional: true, hint: '1 to 10,000. Leave empty if there is no limit.' }),
        picture('image', 'Picture'),
      ],
    },
    {
      title: 'When',
      parts: [
        line('time', 'Time', undefined, { hint: 'For example 9:00 AM - 4:00 PM.' }),
        day('date', 'Day', { isOptional: true, hint: 'For an event that takes place once.' }),
        line('repeats', 'Each month on', undefined, {
          isOptional: true,
          hint: 'For a monthly event, instead of a day: first Sat, second Sat, third Sat, fourth Sat or last Sat.',
        }),
        line('since', 'From month', undefined, { isOptional: true, hint: 'For a monthly event, such as 2026-12.' }),
        line('until', 'Until month', undefined, { isOptional: true, hint: 'Leave empty if it has no end.' }),
      ],
    },
    {
      title: 'Cancelled',
      parts: [
        line('cancelled', 'Reason', 300, {
          isOptional: true,
          rows: 2,
          hint: 'For an event with a day. Visitors read it, and we e-mail it to those who registered.',
        }),
        rowsOf(
          'cancelled_months',
          'Months of a monthly event',
          'Month',
          [
            line('month', 'Month', undefined, { hint: 'For example 2026-12.' }),
            line('reason', 'Reason', 300, { rows: 2 }),
          ],
          { isOptional: true },
        ),
      ],
    },
  ],
});

export const promo = defineForm({
  kind: 'promo',
  key: 'id',
  title: 'title',
  sections: [
    {
      title: 'Promotion',
      parts: [
        idField('id', 'video-visits'),
        line('title', 'Title', 120),
        picture('image', 'Picture', { isOptional: true }),
        line('url', 'Leads to', undefined, { hint: 'A page of this site, such as /events, or an https:// address.' }),
        line('cta_label', 'Text of the button', 60),
        line('placement', 'Place', undefined, { hint: 'For example blog-sidebar.' }),
        yesNo('open_in_new_tab', 'Opens in a new tab'),
        yesNo('nofollow', 'Search engines don’t follow it'),
      ],
    },
  ],
});

export const headline = defineForm({
  kind: 'headline',
  key: 'id',
  title: 'text',
  sections: [{ title: 'Headline', parts: [idField('id', 'drink-water'), line('text', 'Text', 160, { rows: 2 })] }],
});
