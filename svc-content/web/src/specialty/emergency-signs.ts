import { t } from '../messages.ts';

/** Signs that must not wait for an appointment, by slug of the specialty. */
const SIGNS = {
  cardiology: 'Chest pain now, or pain that spreads to the arm, jaw or back?',
  neurology: 'Sudden weakness of the face or an arm, trouble speaking, or a fit?',
  neurosurgery: 'A head injury with vomiting or drowsiness, or a sudden very bad headache?',
  pediatrics: 'A child who is hard to wake, fights for breath or has a fit?',
  orthopedics: 'A bone through the skin, or a limb that is cold or numb after an injury?',
  gynecology: 'Heavy bleeding, strong pain or a fit in pregnancy?',
  'general-medicine': 'Fever with a stiff neck, confusion or trouble breathing?',
  dermatology: 'A rash with swelling of the face or trouble breathing?',
  ent: 'Trouble breathing, something stuck in the throat, or a nosebleed that won’t stop?',
  ophthalmology: 'Sudden loss of sight, or a chemical in the eye?',
  psychiatry: 'Thoughts of ending your life, or fear for someone else’s?',
  urology: 'No urine at all for hours, or sudden strong pain in a testicle?',
  pulmonology: 'Too breathless to finish a sentence, or blue lips?',
  'general-surgery': 'Belly pain that is sudden and very bad, or vomiting blood?',
  'surgical-gastroenterology': 'Vomiting blood, black stools, or belly pain that is sudden and very bad?',
  'vascular-surgery': 'A leg that is suddenly cold, pale and painful?',
  dentistry: 'A swelling of the mouth or neck that makes it hard to swallow or breathe?',
} as const;

/** Returns the signs of an emergency in the field of a specialty. */
export function emergencyIn(slug: string): string | undefined {
  return Object.hasOwn(SIGNS, slug) ? t(SIGNS[slug as keyof typeof SIGNS]) : undefined;
}
