/** Forms of the hospital's facts and pages. Limits are those of svc-content/src/files/site.rs, pages.rs and search.rs. */
import { day, decimal, defineForm, fixedRows, idField, line, lines, rowsOf, table, whole } from '../declaration.ts';

const ICON = { hint: 'Name of a drawing of this site, such as heart.' };

export const site = defineForm({
  kind: 'site',
  key: null,
  title: 'name',
  sections: [
    {
      title: 'Telephone and e-mail',
      parts: [
        fixedRows(
          'phone',
          'Telephone numbers',
          {
            key: 'purpose',
            labels: {
              emergency: 'Emergency',
              ambulance: 'Ambulance',
              reception: 'Reception',
              appointments: 'Appointments',
            },
          },
          [
            line('display', 'Number', undefined, { hint: 'With +91 and spaces: +91 80 0000 0108.' }),
            line('label', 'Label', 60),
          ],
        ),
        fixedRows(
          'email',
          'E-mail addresses',
          { key: 'purpose', labels: { general: 'General', appointments: 'Appointments', info: 'Information desk' } },
          [line('address', 'Address'), line('label', 'Label', 60)],
        ),
      ],
    },
    {
      title: 'Hours',
      parts: [
        fixedRows(
          'hours',
          'Hours',
          {
            key: 'purpose',
            labels: {
              booking: 'Booking',
              emergency: 'Emergency',
              opd: 'Outpatients (OPD)',
              visiting: 'Visiting',
              footer_weekdays: 'Foot of each page: weekdays',
              footer_weekend: 'Foot of each page: weekend',
            },
          },
          [
            line('label', 'Label', 60),
            line('hours', 'Hours as shown', 60),
            lines('weekdays', 'Days', undefined, { hint: 'Mon to Sun, in this order, one per line.', rows: 2 }),
            line('opens', 'Opens', undefined, { hint: '24-hour clock: 09:00.' }),
            line('closes', 'Closes', undefined, { hint: '24-hour clock; 24:00 is midnight.' }),
          ],
        ),
      ],
    },
    {
      title: 'Hospital',
      parts: [
        line('name', 'Name', 80),
        line('tagline', 'Motto', 120),
        whole('founded_year', 'Founded in'),
        whole('beds', 'Beds'),
        lines('accreditations', 'Accreditations', 80, { rows: 3 }),
        rowsOf('statistic', 'Numbers on the home page', 'Number', [
          line('value', 'Value', 12),
          line('label', 'Label', 40),
        ]),
      ],
    },
    {
      title: 'Address',
      parts: [
        line('address.street', 'Street', 120),
        line('address.locality', 'Locality', 80),
        line('address.city', 'City', 80),
        line('address.region', 'State', 80),
        line('address.postal_code', 'PIN code', 12),
        line('address.country', 'Country', 2, { hint: 'Two letters: IN.' }),
        decimal('latitude', 'Latitude', { hint: 'In degrees, such as 12.9249.' }),
        decimal('longitude', 'Longitude', { hint: 'In degrees, such as 77.5938.' }),
        line('origin', 'Address of this website', undefined, {
          hint: 'https:// and the host, without a slash at the end.',
        }),
      ],
    },
  ],
});

export const page = defineForm({
  kind: 'page',
  key: 'slug',
  title: 'title',
  sections: [
    {
      title: 'Page',
      parts: [
        idField('slug', 'privacy'),
        line('title', 'Title', 80),
        line('intro', 'Introduction', 1000, { rows: 5 }),
        day('updated', 'Updated on'),
        line('meta_description', 'Description for search engines', 160, { rows: 2 }),
      ],
    },
    {
      title: 'Sections',
      parts: [
        rowsOf('section', 'Sections', 'Section', [
          line('heading', 'Heading', 120),
          line('id', 'Anchor', undefined, { hint: 'Lower-case letters, digits and hyphens, such as fees.' }),
          lines('paragraphs', 'Text', 2000, { hint: 'One paragraph per line.' }),
          lines('items', 'List', 600, { isOptional: true }),
          lines('contacts', 'Contacts', 40, {
            isOptional: true,
            hint: 'Lines of “Hospital”: address, phone:reception, email:info.',
            rows: 2,
          }),
        ]),
      ],
    },
  ],
});

export const about = defineForm({
  kind: 'about',
  key: 'id',
  title: 'title',
  sections: [
    {
      title: 'About us',
      parts: [
        idField('id', 'story'),
        line('title', 'Title', 80),
        lines('paragraphs', 'Text', 2000, { hint: 'One paragraph per line.', rows: 8 }),
      ],
    },
  ],
});

const block = (kind: string, title: string) =>
  defineForm({
    kind,
    key: 'id',
    title: 'title',
    sections: [
      {
        title,
        parts: [
          idField('id', 'blood-bank'),
          line('title', 'Title', 80),
          line('text', 'Text', 400, { rows: 3 }),
          line('icon', 'Drawing', undefined, ICON),
        ],
      },
    ],
  });

export const whyChoose = block('why-choose', 'Reason to choose us');
export const facility = block('facility', 'Facility');

export const badge = defineForm({
  kind: 'badge',
  key: 'id',
  title: 'text',
  sections: [
    {
      title: 'Badge',
      parts: [idField('id', 'nabh'), line('text', 'Text', 60), line('icon', 'Drawing', undefined, ICON)],
    },
  ],
});

const PATH = { path: 'path', label: 'page' };
const PHRASES = { path: 'phrases', label: 'phrases', isList: true };

export const search = defineForm({
  kind: 'search',
  key: null,
  title: '',
  sections: [
    {
      title: 'Search',
      parts: [
        table('task', 'Things to do', [
          PATH,
          { path: 'title', label: 'title' },
          { path: 'summary', label: 'summary' },
          PHRASES,
        ]),
        table('answer', 'Pages that answer', [PATH, PHRASES]),
        table('synonym', 'Words with the same meaning', [
          { path: 'means', label: 'meaning' },
          { path: 'words', label: 'words', isList: true },
        ]),
        lines('fillers', 'Words that don’t count', 40, { rows: 8 }),
      ],
    },
  ],
});
