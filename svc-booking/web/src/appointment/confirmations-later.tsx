/**
 * The confirmations in a script of their own, which browsers load while the form is filled in. `package.json` chooses
 * between this file and `confirmations.ts`.
 */
import { type ComponentProps, use } from 'react';
import type { Confirmation as FullConfirmation, WaitlistConfirmation as FullWaitlist } from './confirmations.ts';
import { Reference } from './reference.tsx';

interface Confirmations {
  Confirmation: typeof FullConfirmation;
  WaitlistConfirmation: typeof FullWaitlist;
}

/** Shown if the script does not load: the appointment is made, and the e-mail has the rest. */
const SHORT: Confirmations = {
  Confirmation: ({ appointment, focus }) => <Reference booked={appointment} focus={focus} />,
  WaitlistConfirmation: ({ entry, focus }) => <Reference waiting={entry} focus={focus} />,
};

let loading: Promise<Confirmations> | undefined;

export function prepare(): Promise<Confirmations> {
  if (!loading) {
    const promise = import(/* webpackChunkName: "confirmations" */ './confirmations.ts').catch((error: unknown) => {
      console.error('booking/confirmations: only the reference is shown', error);
      return SHORT;
    });
    // React reads these properties, so a loaded script is shown at once.
    void promise.then((value) => Object.assign(promise, { status: 'fulfilled', value }));
    loading = promise;
  }
  return loading;
}

export function Confirmation(props: ComponentProps<typeof FullConfirmation>) {
  const { Confirmation: Loaded } = use(prepare());
  return <Loaded {...props} />;
}

export function WaitlistConfirmation(props: ComponentProps<typeof FullWaitlist>) {
  const { WaitlistConfirmation: Loaded } = use(prepare());
  return <Loaded {...props} />;
}
