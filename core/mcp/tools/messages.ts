/** Tools that read messages: lists, the story of one, and waiting for some. */
import type { Attempt, Delivery, MessageDetail } from '../../contract/message.ts';
import { extend, Integer, members, oneOf, Optional, pick, Text } from '../../contract/schema.ts';
import { filter } from '../../contract/bounds.ts';
import { counted } from '../../contract/count-text.ts';
import { duration } from '../../contract/duration-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { parseDuration } from '../../domain/duration.ts';
import { storyOf, storyOfNow } from '../../scenario/story.ts';
import { nearestOf, describeWaited, waitFor } from '../../scenario/wait.ts';
import { MAX_ROWS, rowsWithPayload, USUAL_ROWS } from '../rows.ts';
import { PAYLOAD_BYTES, piece } from '../foreign-text.ts';
import { BadArgument, described, paramsOf, tool } from '../tool.ts';

export const filterText = described(
  filter,
  'Filter language of the console: `topic:orders state:parked data.orderId:17 attempts:>1 status:5xx rule:single.404 age:<5m`, joined by a space (and), OR, NOT or a leading -, and parentheses. A bare word searches the text.',
);

const listParams = extend(pick(paramsOf('messages.list'), ['cursor', 'order', 'recordingId']), {
  filter: Optional(filterText),
  limit: Optional(Integer({ minimum: 1, maximum: MAX_ROWS })),
});

export const listMessages = tool({
  name: 'list_messages',
  title: 'List messages',
  does: 'Messages that match a filter, the newest first: state, deliveries with their ids, attempts and last answer, and the beginning of the payload. explain_message tells why one is where it is.',
  params: listParams,
  hints: { reads: true },
  run: async ({ limit = USUAL_ROWS, ...params }, context) => {
    const rpc = await context.rpc();
    const { items, nextCursor, total } = await rpc.call('messages.list', { ...params, limit });
    const isPart = nextCursor !== null;
    return {
      text: `${counted(total, 'message')} ${total === 1 ? 'matches' : 'match'}; ${items.length} of them here.`,
      outside: { messages: params.recordingId === undefined ? await rowsWithPayload(rpc, items) : items },
      more: isPart
        ? `the same arguments with cursor ${JSON.stringify(nextCursor)}, or a narrower filter.`
        : undefined,
    };
  },
});

const explainParams = extend(paramsOf('messages.get'), {
  payloadFrom: Optional(
    Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Byte of the payload to begin at.',
    }),
  ),
});

export const explainMessage = tool({
  name: 'explain_message',
  title: 'Explain a message',
  does: 'The story of one message in words with rule ids: each attempt, what the app answered, which rule decided, what comes next. With its payload, metadata and the last answer of each app.',
  params: explainParams,
  hints: { reads: true },
  run: async ({ payloadFrom = 0, ...params }, context) => {
    const rpc = await context.rpc();
    const message = await rpc.call('messages.get', params);
    const { text, totalBytes, next } = piece(payloadOf(message), payloadFrom);
    const told = message.deliveries.slice(0, USUAL_ROWS);
    const left = message.deliveries.length - told.length;
    const toTell = { ...message, deliveries: told };
    // The subscriptions of now say nothing about a recording.
    const story = params.recordingId === undefined ? await storyOfNow(rpc, toTell) : storyOf(toTell);
    return {
      text: `Message ${message.messageId} has ${counted(message.deliveries.length, 'delivery', 'deliveries')}${left > 0 ? `; the first ${told.length} are here` : ''}. The payload has ${totalBytes} bytes.`,
      outside: {
        story,
        ...aboutOf(message),
        payload: text,
        deliveries: told.map(deliveryOf),
      },
      more:
        next === undefined
          ? undefined
          : `payloadFrom ${next} gives the next ${Math.min(PAYLOAD_BYTES, totalBytes - next)} bytes of the payload.`,
    };
  },
});

function payloadOf({ data, dataBase64 }: MessageDetail): string {
  if (dataBase64 !== undefined) return `base64: ${dataBase64}`;
  return typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
}

function aboutOf(message: MessageDetail): object {
  const { number, at, pubsubname, topic, appId, source, eventId, eventType, contentType, metadata } = message;
  const { replayOf, deadLetterOf, expiresAt, note, tags, flags } = message;
  return {
    ...{ number, at, pubsubname, topic, appId, source, contentType, metadata },
    ...withoutUndefined({ eventId, eventType, replayOf, deadLetterOf, expiresAt, note, tags, flags }),
  };
}

function deliveryOf({ deliveryId, appId, route, state, attempts, maxAttempts, ...more }: Delivery): object {
  const { nextAttemptAt, heldAt, deadLetter, turn } = more;
  const last = attempts.at(-1);
  return {
    ...{
      deliveryId,
      appId,
      path: route.path,
      rule: route.rule?.match,
      state,
      attempts: attempts.length,
      maxAttempts,
    },
    ...withoutUndefined({ nextAttemptAt, heldAt, deadLetter, turn }),
    ...(last === undefined ? {} : { lastAnswer: answerOf(last) }),
  };
}

function answerOf({ number, startedAt, durationMs, response, word, error, answeredBy }: Attempt): object {
  const body = response === undefined ? undefined : piece(response.body);
  return {
    ...{ attempt: number, startedAt },
    ...withoutUndefined({
      durationMs,
      status: response?.status,
      statusText: response?.statusText,
      word,
      error,
      answeredBy,
    }),
    ...withoutUndefined({
      body: body?.text,
      bodyBytes: body?.next === undefined ? undefined : body.totalBytes,
    }),
  };
}

/** Longest wait, because clients give up a call after a minute. */
const MAX_WAIT_MS = 50_000;

const waitParams = members({
  filter: filterText,
  count: Optional(Integer({ minimum: 1, maximum: 10_000, description: 'At least this many messages (1).' })),
  timeout: Optional(
    Text({ maxLength: 40, description: 'How long at most, such as 500ms or 10s (10s); 50s at most.' }),
  ),
  since: Optional(oneOf(['start', 'now'])),
});

export const waitForTool = tool({
  name: 'wait_for',
  title: 'Wait for messages',
  does: 'Waits until at least `count` messages match a filter such as `topic:orders state:processed`. If they do not come in time, it says what was seen, the nearest misses, and the rules that stopped them.',
  params: waitParams,
  hints: { reads: true },
  run: async ({ filter: wanted, count = 1, timeout = '10s', since = 'start' }, context, signal) => {
    const withinMs = parseDuration(timeout);
    if (withinMs === undefined || withinMs < 0 || withinMs > MAX_WAIT_MS)
      throw new BadArgument(
        `timeout must be a duration such as 500ms or 10s, at most 50s, got ${JSON.stringify(timeout)}`,
      );
    const rpc = await context.rpc();
    const wait = { filter: wanted, count, withinMs, since };
    const waited = await waitFor({ rpc, clock: context.clock, signal }, wait);
    const { matched, elapsedMs, items, instead } = waited;
    const shown = items.slice(0, USUAL_ROWS);
    const messages = await rowsWithPayload(rpc, shown);
    return {
      text: `${matched ? 'They match' : 'Not in time'}: ${waited.count} of at least ${count} after ${duration(elapsedMs)}.`,
      outside: {
        messages,
        ...(instead === undefined
          ? {}
          : { story: describeWaited(wait, waited), nearest: nearestOf(instead) }),
      },
      more: items.length > shown.length ? 'list_messages with the same filter lists all of them.' : undefined,
    };
  },
});
