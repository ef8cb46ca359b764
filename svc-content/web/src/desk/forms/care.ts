/** Forms of services, specialties, surgeries and first aid. Limits are those of svc-content/src/files/care.rs,
 * surgeries.rs and pages.rs. */
import { choice, day, defineForm, idField, line, lines, picture, rowsOf, whole, yesNo } from '../declaration.ts';

const ICON = { hint: 'Name of a drawing of this site, such as heart-monitor.' };
const SLUG = { hint: 'Last part of the address, such as labour-room.' };

const REVIEWED = day('reviewed', 'Reviewed by a doctor on', {
  isOptional: true,
  hint: 'Visitors don’t see it. The checklist reminds you after a year.',
});

const QUESTION = [line('question', 'Question', 200), line('answer', 'Answer', 1200, { rows: 4 })];

export const service = defineForm({
  kind: 'service',
  key: 'id',
  title: 'name',
  sections: [
    {
      title: 'Service',
      parts: [
        idField('id', 'labour-room'),
        line('name', 'Name', 80),
        line('home_name', 'Name on the home page', 60, { isOptional: true, hint: 'If it differs.' }),
        line('slug', 'Address of the page', undefined, SLUG),
        line('description', 'Description', 400, { rows: 3 }),
        lines('features', 'Features', 60, { hint: 'Exactly 4.', rows: 4 }),
        line('place', 'Place', 80),
        line('hours', 'Hours', 80),
        line('phone_purpose', 'Telephone number', 40, {
          hint: 'Purpose of the number in “Hospital”: emergency, ambulance, reception or appointments.',
        }),
        yesNo('on_home', 'On the home page'),
        line('icon', 'Drawing', undefined, ICON),
        picture('image', 'Picture'),
      ],
    },
    {
      title: 'Page',
      parts: [
        lines('long_description', 'Text', 2000, { hint: 'One paragraph per line.', rows: 8 }),
        lines('benefits', 'Benefits', 200),
        lines('equipment', 'Equipment', 200),
      ],
    },
  ],
});

export const specialty = defineForm({
  kind: 'specialty',
  key: 'id',
  title: 'name',
  sections: [
    {
      title: 'Card',
      parts: [
        idField('id', 'cardiology'),
        line('name', 'Name', 80),
        line('slug', 'Address of the page', undefined, SLUG),
        lines('aliases', 'Other addresses of the page', undefined, { isOptional: true, rows: 2 }),
        line('description', 'Description', 400, { rows: 3 }),
        lines('doctors', 'Doctors', 80, { hint: 'Names as in their records.', rows: 3 }),
        lines('services', 'What we offer', 60),
        choice('color', 'Colour', [
          ['teal', 'Teal'],
          ['champaca', 'Champaca'],
          ['mist', 'Mist'],
        ]),
        line('icon', 'Drawing', undefined, ICON),
      ],
    },
    {
      title: 'Page',
      parts: [
        yesNo('rich', 'Has text and questions', { hint: 'If yes, text, questions and a picture are needed.' }),
        picture('image', 'Picture', { isOptional: true }),
        lines('long_description', 'Text', 2000, { hint: 'One paragraph per line.', isOptional: true, rows: 8 }),
        rowsOf('faqs', 'Questions and answers', 'Question', QUESTION, { isOptional: true }),
        REVIEWED,
      ],
    },
  ],
});

export const surgery = defineForm({
  kind: 'surgery',
  key: 'id',
  title: 'name',
  sections: [
    {
      title: 'Surgery',
      parts: [
        whole('id', 'Number', { hint: 'From 1 to 10. Can’t be changed later.' }),
        line('name', 'Name', 80),
        line('slug', 'Address of the page', undefined, { hint: 'The name in lower case, joined by hyphens.' }),
        line('description', 'Description', 400, { rows: 3 }),
        line('doctor', 'Doctor who operates', undefined, { hint: 'Id of the doctor, such as doc-06.' }),
        picture('image', 'Picture'),
        picture('banner', 'Wide picture'),
        lines('search_terms', 'Search words', 60),
        REVIEWED,
      ],
    },
    {
      title: 'At a glance',
      parts: [
        line('duration', 'Duration', 40),
        line('stay', 'Stay in hospital', 40),
        line('recovery', 'Recovery', 40),
        line('back_to_work', 'Back to desk work', 40),
      ],
    },
    {
      title: 'Text',
      parts: [
        lines('about', 'About', 2000, { hint: 'One paragraph per line.', rows: 8 }),
        lines('indications', 'When it helps', 200),
        lines('procedure', 'How it is done', 300),
        lines('benefits', 'Benefits', 200),
        rowsOf('recovery_steps', 'Recovery', 'Step', [
          line('time', 'Time', 30),
          line('title', 'Title', 80),
          line('text', 'Text', 400, { rows: 2 }),
        ]),
        rowsOf('faqs', 'Questions and answers', 'Question', QUESTION),
      ],
    },
    {
      title: 'Cost',
      parts: [
        rowsOf(
          'cost.packages',
          'Packages',
          'Package',
          [
            line('name', 'Name', 80),
            line('description', 'Description', 200),
            whole('from_rupees', 'From, in rupees'),
            whole('to_rupees', 'To, in rupees'),
          ],
          { hint: 'In the order of their prices.' },
        ),
        lines('cost.included', 'Included', 200),
        lines('cost.excluded', 'Not included', 200),
        lines('cost.changes', 'What changes the price', 200),
        line('cost.insurance', 'Insurance', 600, { rows: 4 }),
      ],
    },
  ],
});

export const firstAid = defineForm({
  kind: 'first-aid',
  key: 'id',
  title: 'title',
  sections: [
    {
      title: 'First aid',
      parts: [
        idField('id', 'burns'),
        line('title', 'Title', 80),
        lines('call', 'Call at once if', 300),
        lines('steps', 'Until help comes', 400, { isOptional: true }),
        line('avoid', 'What not to do', 200, { rows: 2 }),
        line('today', 'When to come in today', 200, { isOptional: true, rows: 2 }),
        line('home', 'What is safe at home', 200, { isOptional: true, rows: 2 }),
        line('icon', 'Drawing', undefined, ICON),
        lines('search_terms', 'Search words', 60),
        REVIEWED,
      ],
    },
  ],
});

export const insurance = defineForm({
  kind: 'insurance',
  key: null,
  title: '',
  sections: [
    {
      title: 'Cashless treatment, for every surgery',
      parts: [
        line('approval', 'How long an approval takes', 200),
        lines('steps', 'Steps to an approval', 300, { rows: 6 }),
      ],
    },
  ],
});
