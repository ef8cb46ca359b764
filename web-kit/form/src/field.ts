import { translated } from '@hospital/page/language';
import type { AnyForm, FieldDeclaration, NameOf } from './declaration.ts';

/** Props of a control in `web-kit/ui`. */
export type FieldProps = Omit<FieldDeclaration, 'payload' | 'several' | 'keep'> & {
  id: string;
  name: string;
  defaultValue?: string | string[];
  error?: string;
};

/** Returns a control's declared attributes, its texts in the current language. Its element id is the field's name. */
export function fieldProps<Form extends AnyForm>(form: Form, name: NameOf<Form>): FieldProps {
  const { payload: _, several: __, keep: ___, ...props } = form.fields[name] as FieldDeclaration;
  const { label, hint, title, placeholder } = props;
  return {
    ...props,
    label: translated(label),
    ...(hint && { hint: translated(hint) }),
    ...(title && { title: translated(title) }),
    ...(placeholder && { placeholder: translated(placeholder) }),
    id: name,
    name,
  };
}
