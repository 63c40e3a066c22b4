/** A call over gRPC that only passes. */
import { timed } from '../pass-through.ts';
import type { OtherCallContext } from '../pass-through.ts';
import { statusOf } from './answers.ts';
import type { Call, StreamHead } from './side.ts';

/** @param note a sentence about a call that could have been more than that */
export function passThroughCall(context: OtherCallContext, { path }: StreamHead, note?: string): Call {
  const named = { method: 'POST', path, protocol: 'grpc' } as const;
  const add = timed(context, { ...named, ...(note === undefined ? {} : { note }) });
  return {
    kind: 'call',
    stopsRequest: false,
    stopsResponse: false,
    readsRequest: false,
    readsResponse: false,
    requested: () => undefined,
    responded: (reply) => {
      add({ status: statusOf(reply).code });
      return undefined;
    },
    lost: ({ message }) => add({ note: message }),
  };
}
