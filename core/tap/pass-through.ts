/** A call that only passes. Sidelight lists how long it took and how it ended. */
import type { OtherCall } from '../contract/tap.ts';
import type { DeferredReports } from './deferred-reports.ts';
import type { Exchange } from './exchange.ts';
import type { RequestHead } from './head.ts';
import type { OtherCalls } from './other-calls.ts';
import { pathOf } from '../http/path.ts';

const LONGEST_PATH = 500;

export interface OtherCallContext {
  readonly to: OtherCall['to'];
  readonly reports: DeferredReports;
  readonly others: OtherCalls;
}

/** Starts timing a call. Gives a function that lists the call once it is over. */
export function timed(
  { to, reports, others }: OtherCallContext,
  call: Pick<OtherCall, 'method' | 'path' | 'note' | 'protocol'>,
): (more: Pick<OtherCall, 'status' | 'note'>) => void {
  const at = reports.moment();
  return (more) =>
    others.add({
      at: new Date(at.ms).toISOString(),
      to,
      ...call,
      // The query string may hold private values, so it is not listed.
      path: pathOf(call.path).slice(0, LONGEST_PATH),
      durationMs: Math.round((reports.moment().mono - at.mono) * 10) / 10,
      ...more,
    });
}

/** @param note makes a sentence about a call that could have been more than that, once it is answered */
export function passThrough(
  context: OtherCallContext,
  { method, target }: RequestHead,
  note?: () => string,
): Exchange {
  const add = timed(context, { method, path: target });
  return {
    stopsRequest: false,
    stopsResponse: false,
    readsRequest: false,
    readsResponse: false,
    requested: () => undefined,
    responded: ({ status }) => {
      add({ status, ...(note === undefined ? {} : { note: note() }) });
      return undefined;
    },
    lost: ({ message }) => add({ note: message }),
  };
}
