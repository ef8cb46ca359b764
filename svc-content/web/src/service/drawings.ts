// Written by drawings/draw.mjs.
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

const DRAWINGS: Readonly<Record<string, string>> = {
  'icu-intensive-care-unit': icuIntensiveCareUnit,
  'emergency-services': emergencyServices,
  'laboratory-services': laboratoryServices,
  'digital-x-ray': digitalXRay,
  'modular-ot': modularOt,
  'gynecology-ot': gynecologyOt,
  'ambulance-services': ambulanceServices,
  'ultrasound-services': ultrasoundServices,
  'labour-room': labourRoom,
  'wards': wards,
};

/** Address of the drawing, 16 by 9; none for a slug that nothing is drawn for. */
export function serviceDrawing(slug: string): string | undefined {
  return DRAWINGS[slug];
}
