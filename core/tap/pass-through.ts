/** A call that only passes. Sidelight lists how long it took and how it ended. */
import type { OtherCall } from '../contract/tap.ts';
import type { DeferredReports } from './deferred-reports.ts';
import type { Exchange } from './exchange.ts';
import type { RequestHead } from './head.ts';
import type { OtherCalls } from './other-calls.ts';
import { pathOf } from '../http/path.ts';

const MAX_PATH_LENGTH = 500;

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
      path: pathOf(call.path).slice(0, MAX_PATH_LENGTH),
      durationMs: Math.round((reports.moment().mono - at.mono) * 10) / 10,
      ...more,
    });
}

/** Why a call is only listed that its body would have made more than that. */
export interface UnreadBody {
  /**
   * Called when the body is complete.
   * @param body undefined: it was too large
   */
  came(body: Buffer | undefined): void;
  /** Called instead when the end of the body cannot be found. */
  endless(): void;
  note(): string;
}

/** @param unreadable what is said of a whole body that was read in vain */
export function unreadBody(unreadable: string): UnreadBody {
  let note = 'It was answered before its body was complete.';
  return {
    came: (body) => void (note = body === undefined ? 'Its body is too large to be read.' : unreadable),
    endless: () => void (note = 'Where its body ends cannot be read.'),
    note: () => note,
  };
}

/** @param unread of a call that its body could have made more than that */
export function passThrough(
  context: OtherCallContext,
  { method, target }: RequestHead,
  unread?: UnreadBody,
): Exchange {
  const add = timed(context, { method, path: target });
  return {
    stopsRequest: false,
    stopsResponse: false,
    readsRequest: false,
    readsResponse: false,
    requested: (body) => {
      unread?.came(body);
      return undefined;
    },
    unreadable: () => unread?.endless(),
    responded: ({ status }) => {
      add({ status, ...(unread === undefined ? {} : { note: unread.note() }) });
      return undefined;
    },
    lost: ({ message }) => add({ note: message }),
  };
}
