/** Fallback for the text about the hospital. */
export const ABOUT_TITLE = 'A neighbourhood hospital since 1979';
export const ABOUT_PARAGRAPHS = [
  'The hospital opened in Jayanagar in 1979. The founders wanted a place where a family could bring a fevered child, a grandmother with a broken hip and a mother in labour, and find all the help they needed under one roof.',
  "Much has changed since then, and some things have not. We explain before we treat. We tell you what it will cost. We advise against an operation when you do not need one. And we remember that the person in the bed is someone's whole world.",
];
