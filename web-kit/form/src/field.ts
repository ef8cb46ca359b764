import type { AnyForm, FieldDeclaration, NameOf } from './declaration.ts';

/** What a control of `web-kit/ui` takes. */
export type FieldProps = Omit<FieldDeclaration, 'payload' | 'several' | 'keep'> & {
  id: string;
  name: string;
  defaultValue?: string | string[];
  error?: string;
};

/** A control's attributes, as declared; its element's id is the field's name. */
export function fieldProps<Form extends AnyForm>(form: Form, name: NameOf<Form>): FieldProps {
  const { payload: _, several: __, keep: ___, ...props } = form.fields[name] as FieldDeclaration;
  return { ...props, id: name, name };
}
