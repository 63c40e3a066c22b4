/** Answers of the suite's app. */
import type { Delivery } from './deliveries.ts';

export interface Responding {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The connection is closed before the body has the length that was announced. */
  readonly cut?: true;
  /** Written as it is instead of a head made of status and headers; the connection ends after the body. */
  readonly head?: string;
}
export type AppAnswer = Responding | 'hang' | 'reset';
export type Step = AppAnswer | ((delivery: Delivery) => AppAnswer | Promise<AppAnswer>);
