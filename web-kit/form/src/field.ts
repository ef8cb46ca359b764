import { translated } from '@hospital/page/language';
import type { AnyForm, FieldDeclaration, NameOf } from './declaration.ts';

/** Props of a control in `web-kit/ui`. */
export type FieldProps = Omit<FieldDeclaration, 'payload' | 'several' | 'keep' | 'label' | 'hint' | 'title'> & {
  label: string;
  hint?: string;
  title?: string;
  id: string;
  name: string;
  defaultValue?: string | string[];
  error?: string;
};

/** Texts of a control: functions, or constants that a catalogue has. */
const TEXTS = ['label', 'hint', 'title', 'placeholder'];

/** Returns the declared attributes of a control, in the current language. Its element id is the field's name. */
export function fieldProps<Form extends AnyForm>(form: Form, name: NameOf<Form>): FieldProps {
  const { payload: _, several: __, keep: ___, ...props } = form.fields[name] as FieldDeclaration;
  const shown = Object.entries(props).map(([key, value]) => [
    key,
    typeof value === 'function' ? value() : TEXTS.includes(key) ? translated(value as string) : value,
  ]);
  return { ...(Object.fromEntries(shown) as FieldProps), id: name, name };
}
