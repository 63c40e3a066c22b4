/** Streaming subscriptions. Cases G70 to G87 of the gRPC surface. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Context } from '../suite/case.ts';
import { staysAt } from '../suite/checks.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { deliveriesOf, deliveryOf, rowsOf, rulesOf, untilState } from '../suite/console-checks.ts';
import {
  failed,
  isListed,
  nextEvent,
  opened,
  publish,
  say,
  takeAll,
  textOf,
  went,
} from '../suite/grpc-checks.ts';
import { documentsOf } from '../suite/files.ts';
import { otherCode, otherGrpcText, otherStatus } from '../suite/spoiler.ts';

const streamCase = (
  id: string,
  title: string,
  basis: 'R' | 'Take',
  run: (context: Context) => Promise<void>,
): Case => ({
  id,
  title,
  basis,
  rows: ['grpc.streams'],
  needsGrpc: true,
  run,
  spoils: [otherCode('INTERNAL'), otherGrpcText],
});

export const grpcStreamCases: readonly Case[] = [
  streamCase('G70', 'a stream gets its events, each with the path /', 'R', async (context) => {
    const stream = await opened(context);
    for (const data of ['first', 'second']) {
      went(await publish(context, data));
      const event = await nextEvent(context, stream);
      assert.deepEqual([textOf(event), event['topic'], event['path']], [data, context.topic(), '/']);
      say(stream, event, 0);
    }
    stream.end();
  }),
  streamCase('G71', 'RETRY on a stream: the same event again', 'R', async (context) => {
    const stream = await opened(context);
    went(await publish(context, 'again'));
    const event = await nextEvent(context, stream);
    say(stream, event, 1);
    const next = await nextEvent(context, stream);
    assert.equal(next['id'], event['id']);
    say(stream, next, 0);
    stream.end();
  }),
  streamCase('G71b', "DROP on a stream: a copy on the stream's dead-letter topic", 'R', async (context) => {
    const stream = await opened(context, { dead_letter_topic: context.topic('dead') });
    const dead = context.grpc.stream();
    dead.send({ initial_request: { pubsub_name: context.component, topic: context.topic('dead') } });
    went(await dead.next());
    went(await publish(context, 'bad'));
    const event = await nextEvent(context, stream);
    say(stream, event, 2);
    const copy = await nextEvent(context, dead);
    assert.deepEqual([textOf(copy), copy['id']], ['bad', event['id']]);
    say(dead, copy, 0);
    stream.end();
    dead.end();
  }),
  streamCase('G73', 'a stream of an unknown component is refused', 'R', async (context) => {
    const stream = context.grpc.stream();
    stream.send({ initial_request: { pubsub_name: 'nope', topic: context.topic() } });
    const answer = await context.within(stream.next(), 'the end of the stream');
    assert.equal(answer.code, 'INVALID_ARGUMENT');
    assert.equal(answer.text, 'pubsub nope is not found');
    assert.equal(answer.details.length, 1);
  }),
  streamCase('G76', 'half-close: the subscription is gone from the metadata', 'R', async (context) => {
    const stream = await opened(context);
    assert.equal(await isListed(context), true);
    stream.end();
    await context.poll(
      async () => isListed(context),
      (is) => !is,
      'the end of the subscription',
    );
  }),
  streamCase(
    'G80',
    'an answer for an unknown id is ignored, and so is a second one',
    'R',
    async (context) => {
      const stream = await opened(context);
      stream.send({ event_processed: { id: 'nobody', status: { status: 0 } } });
      went(await publish(context, 'one'));
      const event = await nextEvent(context, stream);
      say(stream, event, 0);
      say(stream, event, 1);
      went(await publish(context, 'two'));
      const next = await nextEvent(context, stream);
      assert.equal(textOf(next), 'two');
      say(stream, next, 0);
      stream.end();
    },
  ),
  streamCase('G85', 'a raw stream gets the stored bytes', 'R', async (context) => {
    const stream = await opened(context, { metadata: { rawPayload: 'true' } });
    went(await publish(context, 'raw bytes', { metadata: { rawPayload: 'true' } }));
    const event = await nextEvent(context, stream);
    assert.deepEqual([textOf(event), event['data_content_type']], ['raw bytes', 'application/octet-stream']);
    say(stream, event, 0);
    stream.end();
  }),
  streamCase(
    'G74',
    'a second initial request ends the stream; what was in flight goes to the next one',
    'R',
    async (context) => {
      const stream = await opened(context);
      went(await publish(context, 'in flight'));
      const event = await nextEvent(context, stream);
      stream.send({ initial_request: { pubsub_name: context.component, topic: context.topic() } });
      const end = await context.within(stream.next(), 'the end of the stream');
      assert.equal(end.text, 'duplicate initial request received');
      const next = await opened(context);
      const again = await nextEvent(context, next);
      assert.deepEqual([again['id'], textOf(again)], [event['id'], 'in flight']);
      say(next, again, 0);
      next.end();
    },
  ),
  streamCase('G74b', 'the code of that end is one that clients do not try again', 'Take', async (context) => {
    const stream = await opened(context);
    stream.send({ initial_request: { pubsub_name: context.component, topic: context.topic() } });
    failed(await context.within(stream.next(), 'the end of the stream'), 'INVALID_ARGUMENT');
  }),
  {
    ...streamCase(
      'G75',
      'a connection that breaks with three events in flight: they wait, and the next stream gets them',
      'Take',
      async (context) => {
        const proxy = await TcpProxy.to(Number(context.grpc.address.split(':').at(-1)));
        const side = context.grpcAt(`127.0.0.1:${proxy.port}`);
        try {
          const stream = await opened(context, { dead_letter_topic: context.topic('dead') }, side);
          for (const data of ['1', '2', '3']) went(await publish(context, data));
          for (let n = 0; n < 3; n += 1) await nextEvent(context, stream);
          await proxy.close();
          const rows = await context.poll(
            async () => rowsOf(context),
            (all) => all.every((row) => deliveriesOf(row)[0]?.['state'] === 'queued'),
            'three that wait',
          );
          assert.equal(rows.length, 3);
          const rules = rulesOf(await deliveryOf(context, rows[0]));
          assert.ok(rules.includes('stream.closed'), rules.join(' '));
        } finally {
          side.close();
        }
        const next = await opened(context);
        assert.deepEqual((await takeAll(context, next, 3)).toSorted(), ['1', '2', '3']);
        await context.fence();
        assert.deepEqual(context.seen('dead'), []);
        next.end();
      },
    ),
    needsConsole: true,
    subscriptions: (own) => [own.subscription('dead')],
  },
  {
    ...streamCase('G76b', 'published after a half-close: nobody is subscribed', 'Take', async (context) => {
      const stream = await opened(context);
      stream.end();
      await context.poll(
        async () => isListed(context),
        (is) => !is,
        'the end of the subscription',
      );
      went(await publish(context, 'too late'));
      const [row] = await rowsOf(context);
      assert.deepEqual([row?.['deliveries'], row?.['stage']], [[], undefined]);
    }),
    needsConsole: true,
  },
  streamCase(
    'G77',
    'published while a stream is lost: the next one gets all of it',
    'Take',
    async (context) => {
      const lostOne = await opened(context);
      lostOne.cancel();
      const sent = ['1', '2', '3', '4', '5'];
      for (const data of sent) went(await publish(context, data));
      const stream = await opened(context);
      assert.deepEqual((await takeAll(context, stream, 5)).toSorted(), sent);
      stream.end();
    },
  ),
  streamCase('G78', 'two streams of one topic: each gets every message', 'R', async (context) => {
    const both = [await opened(context), await opened(context)];
    const sent = ['1', '2', '3'];
    const publishAll = async (): Promise<void> => {
      for (const data of sent) went(await publish(context, data));
    };
    const taking = Promise.all(both.map(async (stream) => takeAll(context, stream, 3)));
    const [came] = await Promise.all([taking, publishAll()]);
    assert.deepEqual(
      came.map((texts) => texts.toSorted()),
      [sent, sent],
    );
    for (const stream of both) stream.end();
  }),
  {
    ...streamCase('G78b', 'a stream and a subscription of the app: both are served', 'R', async (context) => {
      const stream = await opened(context);
      went(await publish(context, 'for both'));
      assert.deepEqual(await takeAll(context, stream, 1), ['for both']);
      const [delivery] = await staysAt(context, 1);
      assert.equal(delivery?.json()['data'], 'for both');
      stream.end();
    }),
    subscriptions: one,
  },
  streamCase(
    'G78c',
    'what waits for two streams that are lost goes to the next one once',
    'Take',
    async (context) => {
      const both = [await opened(context), await opened(context)];
      went(await publish(context, 'once'));
      for (const stream of both) assert.equal(textOf(await nextEvent(context, stream)), 'once');
      for (const stream of both) stream.cancel();
      const next = await opened(context);
      assert.deepEqual(await takeAll(context, next, 1), ['once']);
      went(await publish(context, 'after'));
      assert.deepEqual(await takeAll(context, next, 1), ['after']);
      next.end();
    },
  ),
  streamCase('G81', 'two events of one id go one after the other, and both end', 'Take', async (context) => {
    const stream = await opened(context);
    const same = { metadata: { 'cloudevent.id': 'same' } };
    went(await publish(context, 'one', same));
    went(await publish(context, 'two', same));
    went(await publish(context, 'other'));
    const first = await nextEvent(context, stream);
    const other = await nextEvent(context, stream);
    assert.deepEqual([first['id'], textOf(first), textOf(other)], ['same', 'one', 'other']);
    say(stream, first, 0);
    const second = await nextEvent(context, stream);
    assert.deepEqual([second['id'], textOf(second)], ['same', 'two']);
    say(stream, second, 0);
    say(stream, other, 0);
    stream.end();
  }),
  streamCase(
    'G82',
    'a client that stops reading: nothing is lost when it reads again',
    'Take',
    async (context) => {
      const stream = await opened(context);
      stream.pause();
      const sent = Array.from({ length: 200 }, (_, n) => `${n} ${'x'.repeat(8_000)}`);
      for (const data of sent) went(await publish(context, data));
      stream.resume();
      const came = await takeAll(context, stream, sent.length);
      assert.deepEqual(new Set(came), new Set(sent));
      stream.end();
    },
  ),
  streamCase(
    'G87',
    'streams that come and go beside one that stays: it gets every message once, and none of them is left',
    'Take',
    async (context) => {
      const stays = await opened(context);
      const sent = Array.from({ length: 60 }, (_, n) => `${n}`);
      const comeAndGo = Array.from({ length: 20 }, async (_, n) => {
        const guest = await opened(context);
        if (n % 2 === 0) guest.end();
        else guest.cancel();
      });
      const publishAll = async (): Promise<void> => {
        for (const data of sent) went(await publish(context, data));
      };
      const [came] = await Promise.all([takeAll(context, stays, sent.length), publishAll(), ...comeAndGo]);
      assert.deepEqual(came.toSorted(), sent.toSorted());
      stays.end();
      await context.poll(
        async () => isListed(context),
        (is) => !is,
        'the end of the subscriptions',
      );
    },
  ),
];

/** With an attempt timeout of 300 ms. */
export const grpcTimeoutCases: readonly Case[] = [
  {
    ...streamCase(
      'G79',
      'an event that is not answered in time is sent again; one answer ends it',
      'Take',
      async (context) => {
        const stream = await opened(context);
        went(await publish(context, 'slow'));
        const first = await nextEvent(context, stream);
        const again = await nextEvent(context, stream);
        assert.equal(again['id'], first['id']);
        say(stream, first, 0);
        const row = await untilState(context, 'processed');
        assert.ok(rulesOf(await deliveryOf(context, row)).includes('policy.no-answer'));
        stream.end();
      },
    ),
    needsConsole: true,
  },
];

/** On the components of `componentFiles`. */
export const grpcScopeCases: readonly Case[] = [
  {
    ...streamCase(
      'G86',
      'a stream of a forbidden topic is refused; once the scopes allow it the next one is served',
      'R',
      async (context) => {
        const initial = { pubsub_name: 'guarded-stream', topic: context.topic() };
        const tried = async (): Promise<string> => {
          const stream = context.grpc.stream();
          stream.send({ initial_request: initial });
          const answer = await context.within(stream.next(), 'an answer');
          stream.end();
          return answer.code === 'OK' ? String(answer.reply['kind']) : answer.text;
        };
        assert.match(await tried(), /not allowed/);
        const { memory } = documentsOf({ names: context.names, appUrl: '' });
        const allowed = [{ name: 'subscriptionScopes', value: `${context.appId}=${context.topic()}` }];
        await context.files?.write('stream-scopes.yaml', JSON.stringify(memory('guarded-stream', allowed)));
        await context.poll(tried, (said) => said === 'initial_response', 'a stream that is served');
      },
    ),
    needsFiles: true,
  },
];

/** Without any app port. */
export const noAppCases: readonly Case[] = [
  {
    id: '109',
    title: 'no app at all: both health routes 204',
    basis: 'R',
    rows: ['behaviour 7.1', 'health.204', 'health.outbound.204'],
    run: async (context) => {
      for (const route of ['/v1.0/healthz', '/v1.0/healthz/outbound'])
        await context.poll(
          async () => context.sidecar.send(route),
          ({ status }) => status === 204,
          `204 of ${route}`,
        );
    },
    spoils: [otherStatus(500)],
  },
  streamCase('G83', 'no app at all: a stream gets what is published', 'R', async (context) => {
    const stream = await opened(context);
    went(await publish(context, 'hi'));
    assert.deepEqual(await takeAll(context, stream, 1), ['hi']);
    stream.end();
  }),
];

/** The sidecar ends. */
export const grpcEndCases: readonly Case[] = [
  {
    id: 'G30',
    title: 'Shutdown over gRPC is answered, and the process ends with 0',
    basis: 'R',
    rows: ['grpc.metadata'],
    needsGrpc: true,
    run: async (context) => {
      const { ended } = context.running;
      assert.ok(ended !== undefined, 'the process is not ours to watch');
      went(await context.grpc.call('Shutdown', {}));
      assert.equal(await context.within(ended, 'the end of the process'), 0);
    },
    spoils: [otherCode('INTERNAL')],
  },
  streamCase(
    'G84',
    'the sidecar stops: a stream ends with a code that clients try again',
    'Take',
    async (context) => {
      const stream = await opened(context);
      await context.sidecar.send('/v1.0/shutdown', { method: 'POST' });
      const end = await context.within(stream.next(), 'the end of the stream');
      failed(end, 'UNAVAILABLE', 'sidecar is shutting down');
    },
  ),
];
