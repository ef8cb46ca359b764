import { DrawnHere } from '@hospital/ui/drawing';
import scene from './scene.svg?raw';

/** A call from the kitchen table: a grandmother with her coffee, the doctor on the tablet. */
export function VideoScene() {
  return <DrawnHere svg={scene} />;
}
