import type { AnyForm, FieldDeclaration, NameOf } from './declaration.ts';

/** Props of a control in `web-kit/ui`. */
export type FieldProps = Omit<FieldDeclaration, 'payload' | 'several' | 'keep'> & {
  id: string;
  name: string;
  defaultValue?: string | string[];
  error?: string;
};

/** Returns the declared attributes of a control. Its element id is the field's name. */
export function fieldProps<Form extends AnyForm>(form: Form, name: NameOf<Form>): FieldProps {
  const { payload: _, several: __, keep: ___, ...props } = form.fields[name] as FieldDeclaration;
  return { ...props, id: name, name };
}
