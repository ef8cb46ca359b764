/** Components that every form uses. */
import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '@hospital/ui/button';
import { ErrorSummary } from '@hospital/ui/error-summary';
import { translated } from '@hospital/page/language';
import { t } from '@hospital/page/messages';
import { Notice } from '@hospital/ui/notice';
import { Text } from '@hospital/page/text';
import type { AnyForm, ContextOf } from './declaration.ts';
import type { Outcome } from './outcome.ts';
import type { AlertState, FormState } from './use-form.ts';

interface FormProps<Form extends AnyForm> extends Omit<ComponentProps<'form'>, 'action' | 'form'> {
  form: FormState<Form>;
  context: ContextOf<Form>;
  /** Path of the page, if its route has parameters. Default: the declaration's page. */
  action?: string;
}

/** Renders a native form that posts to its page. With script, sending does not load a new page. */
export function Form<Form extends AnyForm>({ form, context, action, children, ...rest }: FormProps<Form>) {
  const { ref, declaration, part, pending, send, remember } = form;
  return (
    <form
      {...rest}
      ref={ref}
      method="post"
      action={action ?? declaration.page}
      onSubmit={(event) => {
        if (send(context)) event.preventDefault();
      }}
      onInput={remember}
      aria-busy={pending || undefined}
    >
      {children}
      <input type="hidden" name="requestId" defaultValue="" />
      {part && <input type="hidden" name="part" value={part} />}
    </form>
  );
}

interface SubmitProps<Form extends AnyForm> extends Omit<ComponentProps<typeof Button>, 'form'> {
  form: FormState<Form>;
  context: ContextOf<Form>;
  /** Label while the request is pending. */
  busy: string;
}

/** Shows all problems at once, with our own messages: the click fires before native validation and cancels it. */
export function SubmitButton<Form extends AnyForm>({ form, context, busy, children, ...rest }: SubmitProps<Form>) {
  function check(event: MouseEvent) {
    if (!form.check((values) => form.declaration.rules(values, context))) event.preventDefault();
  }
  return (
    <PendingButton {...rest} isPending={form.pending} onClick={check}>
      {form.pending ? busy : children}
    </PendingButton>
  );
}

interface PendingProps extends ComponentProps<typeof Button> {
  isPending: boolean;
}

/** Renders a submit button that ignores clicks while pending. It keeps the focus, unlike a `disabled` button. */
export function PendingButton({ isPending, onClick, ...rest }: PendingProps) {
  return (
    <Button
      {...rest}
      type="submit"
      aria-disabled={isPending || undefined}
      onClick={(event) => (isPending ? event.preventDefault() : onClick?.(event))}
    />
  );
}

interface FormAlertProps {
  form: AlertState;
  /** Shown after a failure, below the message. */
  children?: ReactNode;
}

/** Renders the alert for a refused, failed or received form, with the next step. Takes the focus when it appears. */
export function FormAlert({ form, children }: FormAlertProps) {
  const { outcome, served, declaration, yieldsFocus, round } = form;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (yieldsFocus()) box.current?.querySelector<HTMLElement>('[role=alert]')?.focus({ preventScroll: served });
    // Once per outcome.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [round]);
  return <div ref={box}>{alertOf(outcome, translated(declaration.failure), children)}</div>;
}

function alertOf(outcome: Outcome, failure: string, children: ReactNode): ReactNode {
  if (outcome.kind === 'refused') {
    const errors = outcome.violations.map(({ field, message }) => ({ id: field, message }));
    const title = outcome.unsent ? t('Please check these answers') : failure;
    return <ErrorSummary title={title} errors={errors} takesFocus={false} />;
  }
  if (outcome.kind === 'failed') {
    return (
      <Notice tone="failure" role="alert" title={failure} tabIndex={-1}>
        {outcome.detail && (
          <p>
            <Text>{outcome.detail}</Text>
          </p>
        )}
        {children}
      </Notice>
    );
  }
  if (outcome.kind !== 'received') return null;
  return (
    <Notice tone="success" role="alert" title={t('We have your form')} tabIndex={-1}>
      <p>{t('We can’t show the details right now. Please call us to check them.')}</p>
    </Notice>
  );
}
