/** Dependencies of an input side, and the waits of its steps. */
import type { InputStep } from '../../contract/event-router/components.ts';
import type { InputFields } from '../rules/component-fields.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { RouterAccess, RouterGuest } from '../client/router-access.ts';
import type { TrustedClient } from '../client/trusted-client.ts';

export interface InputDependencies {
  readonly component: string;
  readonly fields: InputFields;
  readonly guest: RouterGuest;
  readonly explicit: boolean;
  readonly access: RouterAccess;
  readonly client: TrustedClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the state changed or a handshake was made. */
  readonly changed: () => void;
}

export const PART = 'event-router';

/** Time for which the probe through the ingress is repeated; then the next step begins without it. */
export const PROBING_MS = 60_000;

const LISTEN_AGAIN_MS = 5_000;

/** Wait after the k-th failure of a step in a row, in ms; k from 1. */
export function waitAfter(step: InputStep, k: number): number {
  if (step === 'listening') return LISTEN_AGAIN_MS;
  const longest = step === 'self-probing' ? 10_000 : 30_000;
  return Math.min(1000 * 2 ** (k - 1), longest);
}
