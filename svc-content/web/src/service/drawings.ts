// Written by drawings/draw.mjs.
import type { Drawing } from '@hospital/ui/drawing';
import icuIntensiveCareUnit from '../../drawings/drawn/services/icu-intensive-care-unit.svg';
import emergencyServices from '../../drawings/drawn/services/emergency-services.svg';
import laboratoryServices from '../../drawings/drawn/services/laboratory-services.svg';
import digitalXRay from '../../drawings/drawn/services/digital-x-ray.svg';
import modularOt from '../../drawings/drawn/services/modular-ot.svg';
import gynecologyOt from '../../drawings/drawn/services/gynecology-ot.svg';
import ambulanceServices from '../../drawings/drawn/services/ambulance-services.svg';
import ultrasoundServices from '../../drawings/drawn/services/ultrasound-services.svg';
import labourRoom from '../../drawings/drawn/services/labour-room.svg';
import wards from '../../drawings/drawn/services/wards.svg';
import icuIntensiveCareUnitSvg from '../../drawings/drawn/services/icu-intensive-care-unit.svg?raw';
import emergencyServicesSvg from '../../drawings/drawn/services/emergency-services.svg?raw';
import laboratoryServicesSvg from '../../drawings/drawn/services/laboratory-services.svg?raw';
import digitalXRaySvg from '../../drawings/drawn/services/digital-x-ray.svg?raw';
import modularOtSvg from '../../drawings/drawn/services/modular-ot.svg?raw';
import gynecologyOtSvg from '../../drawings/drawn/services/gynecology-ot.svg?raw';
import ambulanceServicesSvg from '../../drawings/drawn/services/ambulance-services.svg?raw';
import ultrasoundServicesSvg from '../../drawings/drawn/services/ultrasound-services.svg?raw';
import labourRoomSvg from '../../drawings/drawn/services/labour-room.svg?raw';
import wardsSvg from '../../drawings/drawn/services/wards.svg?raw';

const DRAWINGS: Readonly<Record<string, Drawing>> = {
  'icu-intensive-care-unit': { address: icuIntensiveCareUnit, svg: icuIntensiveCareUnitSvg },
  'emergency-services': { address: emergencyServices, svg: emergencyServicesSvg },
  'laboratory-services': { address: laboratoryServices, svg: laboratoryServicesSvg },
  'digital-x-ray': { address: digitalXRay, svg: digitalXRaySvg },
  'modular-ot': { address: modularOt, svg: modularOtSvg },
  'gynecology-ot': { address: gynecologyOt, svg: gynecologyOtSvg },
  'ambulance-services': { address: ambulanceServices, svg: ambulanceServicesSvg },
  'ultrasound-services': { address: ultrasoundServices, svg: ultrasoundServicesSvg },
  'labour-room': { address: labourRoom, svg: labourRoomSvg },
  'wards': { address: wards, svg: wardsSvg },
};

/** 16 by 9; none for a slug that nothing is drawn for. */
export function serviceDrawing(slug: string): Drawing | undefined {
  return DRAWINGS[slug];
}
