// Written by drawings/draw.mjs.
import type { Drawing } from '@hospital/ui/drawing';
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
import herniaRepairSvg from '../../drawings/drawn/surgeries/hernia-repair.svg?raw';
import kneeReplacementSvg from '../../drawings/drawn/surgeries/knee-replacement.svg?raw';
import arthroscopySvg from '../../drawings/drawn/surgeries/arthroscopy.svg?raw';
import hipReplacementSvg from '../../drawings/drawn/surgeries/hip-replacement.svg?raw';
import gallbladderRemovalSvg from '../../drawings/drawn/surgeries/gallbladder-removal.svg?raw';
import pilesSurgerySvg from '../../drawings/drawn/surgeries/piles-surgery.svg?raw';
import cataractSurgerySvg from '../../drawings/drawn/surgeries/cataract-surgery.svg?raw';
import hysterectomySvg from '../../drawings/drawn/surgeries/hysterectomy.svg?raw';
import varicoseVeinTreatmentSvg from '../../drawings/drawn/surgeries/varicose-vein-treatment.svg?raw';
import slippedDiscSurgerySvg from '../../drawings/drawn/surgeries/slipped-disc-surgery.svg?raw';

const DRAWINGS: Readonly<Record<string, Drawing>> = {
  'hernia-repair': { address: herniaRepair, svg: herniaRepairSvg },
  'knee-replacement': { address: kneeReplacement, svg: kneeReplacementSvg },
  'arthroscopy': { address: arthroscopy, svg: arthroscopySvg },
  'hip-replacement': { address: hipReplacement, svg: hipReplacementSvg },
  'gallbladder-removal': { address: gallbladderRemoval, svg: gallbladderRemovalSvg },
  'piles-surgery': { address: pilesSurgery, svg: pilesSurgerySvg },
  'cataract-surgery': { address: cataractSurgery, svg: cataractSurgerySvg },
  'hysterectomy': { address: hysterectomy, svg: hysterectomySvg },
  'varicose-vein-treatment': { address: varicoseVeinTreatment, svg: varicoseVeinTreatmentSvg },
  'slipped-disc-surgery': { address: slippedDiscSurgery, svg: slippedDiscSurgerySvg },
};

/** 16 by 9; none for a slug that nothing is drawn for. */
export function surgeryDrawing(slug: string): Drawing | undefined {
  return DRAWINGS[slug];
}
