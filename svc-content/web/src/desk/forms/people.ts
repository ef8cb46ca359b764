/** Forms of doctors, departments and reviews. Limits are those of svc-content/src/files/people.rs. */
import { choice, defineForm, idField, line, lines, picture, whole, yesNo } from '../declaration.ts';

export const doctor = defineForm({
  kind: 'doctor',
  key: 'id',
  title: 'name',
  sections: [
    {
      title: 'Person',
      parts: [
        idField('id', 'doc-17', ' Booking knows the doctor by the same id.'),
        line('name', 'Name', 80, { hint: 'With title: Dr. Asha Rao.' }),
        line('slug', 'Address of the page', undefined, { hint: 'Last part of the address, such as dr-asha-rao.' }),
        line('specialty', 'Specialty', 60),
        line('degrees', 'Degrees', 160),
        line('registration_number', 'Registration number', 40),
        line('experience', 'Experience', 40, { hint: 'For example 14 Years.' }),
        lines('languages', 'Languages', 40, { rows: 3 }),
        picture('image', 'Picture'),
      ],
    },
    {
      title: 'Visits',
      parts: [
        line('visiting_days', 'Visiting days', 40, { hint: 'For example Mon–Sat.' }),
        line('timings', 'Timings', 60, { hint: 'For example 9:00 AM - 1:00 PM.' }),
        whole('consultation_fee_rupees', 'Consultation fee in rupees', { hint: 'From 1 to 100,000.' }),
        yesNo('listed', 'Shown in lists', { absent: true, isOptional: true }),
        yesNo('closed_to_new_patients', 'Sees known patients only', {
          absent: false,
          isOptional: true,
          hint: 'If yes, the page offers no booking.',
        }),
      ],
    },
    {
      title: 'About',
      parts: [
        line('about', 'About', 600, { rows: 4 }),
        lines('education', 'Education', 160),
        lines('specializations', 'Special fields', 80),
        lines('achievements', 'Achievements', 200),
      ],
    },
    {
      title: 'For search engines',
      parts: [
        line('seo_title', 'Title', 70),
        line('meta_description', 'Description', 160, { rows: 2 }),
        line('focus_keyword', 'Main search words', 60),
      ],
    },
  ],
});

export const department = defineForm({
  kind: 'department',
  key: 'id',
  title: 'name',
  sections: [
    {
      title: 'Department',
      parts: [
        idField('id', 'cardiology', ' Booking knows the department by the same id.'),
        line('name', 'Name', 60),
        line('summary', 'Summary', 300, { rows: 3 }),
        lines('treats', 'What it treats', 80),
        lines('problems', 'Problems in the patient’s words', 60),
      ],
    },
  ],
});

export const review = defineForm({
  kind: 'review',
  key: 'id',
  title: 'name',
  sections: [
    {
      title: 'Review',
      parts: [
        idField('id', 'asha-2026'),
        line('name', 'Name', 80, { hint: 'As the patient allowed us to show it.' }),
        line('location', 'Place', 80),
        choice(
          'rating',
          'Stars',
          [1, 2, 3, 4, 5].map((stars) => [String(stars), String(stars)] as const),
        ),
        line('comment', 'Comment', 600, { rows: 4 }),
        picture('image', 'Picture'),
      ],
    },
  ],
});
