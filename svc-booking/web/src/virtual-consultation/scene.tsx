import scene from './scene.svg';

/**
 * A call from the kitchen table: a grandmother with her coffee, the doctor on the tablet. A file with a small natural
 * size, so that it costs no script and the heading stays the largest paint.
 */
export function VideoScene() {
  return <img src={scene} alt="" width={640} height={360} decoding="async" fetchPriority="low" />;
}
