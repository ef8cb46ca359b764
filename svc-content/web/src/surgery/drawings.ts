// Written by drawings/draw.mjs.
import herniaRepair from '../../drawings/drawn/surgeries/hernia-repair.svg';
import kneeReplacement from '../../drawings/drawn/surgeries/knee-replacement.svg';
import arthroscopy from '../../drawings/drawn/surgeries/arthroscopy.svg';
import hipReplacement from '../../drawings/drawn/surgeries/hip-replacement.svg';
import gallbladderRemoval from '../../drawings/drawn/surgeries/gallbladder-removal.svg';
import pilesSurgery from '../../drawings/drawn/surgeries/piles-surgery.svg';
import cataractSurgery from '../../drawings/drawn/surgeries/cataract-surgery.svg';
import hysterectomy from '../../drawings/drawn/surgeries/hysterectomy.svg';
import varicoseVeinTreatment from '../../drawings/drawn/surgeries/varicose-vein-treatment.svg';
import slippedDiscSurgery from '../../drawings/drawn/surgeries/slipped-disc-surgery.svg';

const DRAWINGS: Readonly<Record<string, string>> = {
  'hernia-repair': herniaRepair,
  'knee-replacement': kneeReplacement,
  'arthroscopy': arthroscopy,
  'hip-replacement': hipReplacement,
  'gallbladder-removal': gallbladderRemoval,
  'piles-surgery': pilesSurgery,
  'cataract-surgery': cataractSurgery,
  'hysterectomy': hysterectomy,
  'varicose-vein-treatment': varicoseVeinTreatment,
  'slipped-disc-surgery': slippedDiscSurgery,
};

/** Address of the drawing, 16 by 9; none for a slug that nothing is drawn for. */
export function surgeryDrawing(slug: string): string | undefined {
  return DRAWINGS[slug];
}
