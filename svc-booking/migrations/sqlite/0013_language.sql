-- Language of the person: the code of a language that pages exist in. Builds without these columns insert the default and never
-- change them. Unknown codes are those of newer builds, and count as English.
ALTER TABLE appointments ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
ALTER TABLE waitlist_entries ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
ALTER TABLE consultations ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
