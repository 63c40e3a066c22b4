/** A call over gRPC that only passes. */
import { timed } from '../pass-through.ts';
import type { OtherCallContext, UnreadBody } from '../pass-through.ts';
import { statusOf } from './answers.ts';
import type { Call, StreamHead } from './side.ts';

/** @param unread of a call that its message could have made more than that */
export function passThroughCall(context: OtherCallContext, { path }: StreamHead, unread?: UnreadBody): Call {
  const add = timed(context, { method: 'POST', path, protocol: 'grpc' });
  return {
    kind: 'call',
    stopsRequest: false,
    stopsResponse: false,
    readsRequest: false,
    readsResponse: false,
    requested: (body) => {
      unread?.came(body);
      return undefined;
    },
    responded: (reply) => {
      add({ status: statusOf(reply).code, ...(unread === undefined ? {} : { note: unread.note() }) });
      return undefined;
    },
    lost: ({ message }) => add({ note: message }),
  };
}
