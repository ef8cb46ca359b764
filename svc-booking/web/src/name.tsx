import { Text } from '@hospital/page/text';
import { named } from './messages.ts';

/** Renders a name of the hospital's data, marked as English if it has no translation. */
export function Name({ children }: { children: string }) {
  return <Text>{named(children)}</Text>;
}
