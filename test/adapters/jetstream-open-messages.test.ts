/** State of open messages, and the answers to the server. */
import { setImmediate as turn } from 'node:timers/promises';
import type { JsMsg } from '@nats-io/jetstream';
import { expect, test } from 'vitest';
import { OpenMessages } from '../../core/adapters/jetstream/open-messages.ts';
import type { Taken } from '../../core/ports/pubsub.ts';
import { collectGarbage } from '../support/garbage.ts';

interface Bench {
  readonly messages: OpenMessages;
  readonly given: number[];
  readonly answers: string[];
  end(taken: Taken): void;
}

function bench(): Bench {
  const given: number[] = [];
  const answers: string[] = [];
  let end: (taken: Taken) => void = () => undefined;
  const messages = new OpenMessages({
    topic: 'orders',
    group: 'app',
    consumer: 'app-orders',
    backOffMs: [1500],
    maxDeliver: undefined,
    slots: undefined,
    log: { write: () => undefined },
    take: ({ wire }) => {
      given.push(wire?.length ?? -1);
      return new Promise((resolve) => (end = resolve));
    },
    send: (subject, answer) => void answers.push(`${subject} ${answer}`),
  });
  return { messages, given, answers, end: (taken) => end(taken) };
}

/** As the library hands it over, as far as it is read. */
function message(data: Uint8Array, reply: string): JsMsg {
  const info = { stream: 'S', deliveryCount: 1 };
  const read = { seq: 7, headers: undefined, timestampNanos: 5n, info, data, reply };
  return read as unknown as JsMsg;
}

/** Delivers a message of 100 kB and drops its reference. */
function handed(messages: OpenMessages): WeakRef<Uint8Array> {
  const bytes = new Uint8Array(100_000);
  messages.hand(message(bytes, 'answer.1'));
  return new WeakRef(bytes);
}

test('the body of a message is not kept while its delivery is open', async () => {
  const { messages, given, answers, end } = bench();
  const bytes = handed(messages);
  await collectGarbage(() => turn());
  expect(given).toEqual([100_000]);
  expect(bytes.deref()).toBeUndefined();
  messages.keep();
  end('done');
  await messages.close();
  expect(answers).toEqual(['answer.1 +WPI', 'answer.1 +ACK']);
});

test('the newest delivery of a message is answered, and a returned message says how long the server waits', async () => {
  const { messages, given, answers, end } = bench();
  messages.hand(message(new Uint8Array(1), 'answer.1'));
  await turn();
  messages.hand(message(new Uint8Array(1), 'answer.2'));
  expect(given).toEqual([1]);
  end('redeliver');
  await turn();
  expect(answers).toEqual(['answer.2 -NAK {"delay":1500000000}']);
  await messages.close();
  messages.hand(message(new Uint8Array(1), 'answer.3'));
  messages.leave();
  expect(answers.slice(1)).toEqual(['answer.3 -NAK']);
});
