/** The gRPC edge itself: where it listens, reflection, deadlines, noise, tokens, access. Cases G11, G12, G16, G17, G24, G32 to G35. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { one } from '../suite/case.ts';
import type { Case, Context } from '../suite/case.ts';
import { listOf, nothingArrives, objectOf, staysAt } from '../suite/checks.ts';
import { rowsOf } from '../suite/console-checks.ts';
import { bulk, failed, info, publish, went } from '../suite/grpc-checks.ts';
import { lost, otherCode, otherGrpcText, toldOtherwise } from '../suite/spoiler.ts';
import { API_TOKEN } from './tokens.ts';

const SERVICE = 'dapr.proto.runtime.v1.Dapr';
const REFUSAL = [otherCode('OK'), otherGrpcText];

const entries = (...texts: readonly string[]): readonly { entry_id: string; event: Buffer }[] =>
  texts.map((text) => ({ entry_id: text, event: Buffer.from(text) }));

/** A field of a message that is a text, as bytes. */
const field = (number: number, text: string): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, Buffer.byteLength(text)]), Buffer.from(text)]);

/** Gives bytes that are the same in every run. */
const noise = (): ((length: number) => Buffer) => {
  let seed = 7;
  const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % 256;
  return (length) => Buffer.from(Array.from({ length }, next));
};

/** Result of a connection that gets these bytes. */
const afterSending = async (port: number, bytes: Buffer): Promise<'closed'> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('error', () => resolve('closed'));
    socket.on('close', () => resolve('closed'));
    socket.resume();
  });

const isOpen = async (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 }, () => end(true));
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.on('error', () => end(false));
    socket.on('timeout', () => end(false));
  });

const portOf = ({ grpc }: Context): number => Number(grpc.address.split(':').at(-1));

export const grpcServerCases: readonly Case[] = [
  {
    id: 'G16',
    title: 'calls that the client gives one millisecond: each message is taken whole or not at all',
    basis: 'R',
    rows: ['grpc.publish'],
    needsGrpc: true,
    subscriptions: one,
    run: async (context) => {
      const data = Buffer.alloc(100_000, 0x78);
      const message = { pubsub_name: context.component, topic: context.topic(), data };
      const codes = await Promise.all(
        Array.from({ length: 20 }, async () =>
          context.grpc.call('PublishEvent', message, {}, { deadlineMs: 1 }).then(({ code }) => code),
        ),
      );
      assert.ok(codes.includes('DEADLINE_EXCEEDED'), codes.join(' '));
      const taken = codes.filter((code) => code === 'OK').length;
      assert.equal(codes.filter((code) => code === 'DEADLINE_EXCEEDED').length + taken, codes.length);
      went(await publish(context, data));
      const seen = await context.arrive(taken + 1);
      await context.fence();
      assert.ok(seen.every((one_) => String(one_.json()['data']).length === data.length));
    },
    spoils: [otherCode('OK'), lost],
  },
  {
    id: 'G17',
    title: 'the console says that messages came over gRPC, singly and in bulk',
    basis: 'Take',
    rows: ['grpc.publish', 'grpc.bulk-publish'],
    needsGrpc: true,
    needsConsole: true,
    run: async (context) => {
      went(await publish(context, 'single'));
      went(await bulk(context, entries('entry')));
      assert.deepEqual(
        (await rowsOf(context)).map(({ source }) => source),
        ['grpc', 'grpc-bulk'],
      );
    },
    spoils: [toldOtherwise('"grpc-bulk"', '"http"'), toldOtherwise('"grpc"', '"http"')],
  },
  ...(['v1', 'v1alpha'] as const).map((version, at): Case => ({
    id: `G33${'ab'.charAt(at)}`,
    title: `reflection ${version}: lists the service, and its file has both names of bulk publish`,
    basis: 'Take',
    rows: ['grpc.other-calls'],
    needsGrpc: true,
    run: async (context) => {
      const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
      const listed = went(await context.grpc.exchange(path, [field(7, '*')]));
      assert.ok(String(listed['text']).includes(SERVICE));
      const file = went(await context.grpc.exchange(path, [field(4, SERVICE)]));
      for (const name of ['PublishEvent', 'BulkPublishEventAlpha1', 'BulkPublishEvent\x12'])
        assert.ok(String(file['text']).includes(name), name);
    },
    spoils: [otherCode('UNIMPLEMENTED'), otherGrpcText],
  })),
  {
    id: 'G34',
    title: 'it listens on this machine alone, on ::1 as well',
    basis: 'Take',
    rows: ['grpc.limits'],
    needsGrpc: true,
    run: async (context) => {
      const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
      if (all.some(({ address }) => address === '::1')) {
        const side = context.grpcAt(`[::1]:${portOf(context)}`);
        const answer = await side.call('GetMetadata', {});
        side.close();
        assert.equal(went(answer)['id'], context.appId);
      }
      const open = [];
      for (const { address, internal, family } of all)
        if (!internal && family === 'IPv4' && (await isOpen(address, portOf(context)))) open.push(address);
      assert.deepEqual(open, []);
      went(await context.grpc.call('GetMetadata', {}));
    },
    spoils: [otherCode('UNAVAILABLE')],
  },
  {
    id: 'G35',
    title: 'noise as messages and as frames: errors, and the server lives',
    basis: 'Take',
    rows: ['grpc.limits'],
    needsGrpc: true,
    run: async (context) => {
      const bytes = noise();
      const methods = ['PublishEvent', 'BulkPublishEvent', 'InvokeBinding', 'SubscribeTopicEventsAlpha1'];
      const answers = await Promise.all(
        Array.from({ length: 200 }, async (_, n) =>
          context.grpc.exchange(`/${SERVICE}/${methods[n % methods.length] ?? ''}`, [bytes(1 + (n % 97))]),
        ),
      );
      assert.ok(answers.some(({ code }) => code !== 'OK'));
      const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
      await Promise.all(
        Array.from({ length: 40 }, async (_, n) =>
          afterSending(portOf(context), Buffer.concat([n % 2 === 0 ? preface : Buffer.alloc(0), bytes(200)])),
        ),
      );
      assert.equal(went(await context.grpc.call('GetMetadata', {}))['id'], context.appId);
    },
    spoils: [otherCode('UNAVAILABLE'), otherGrpcText],
  },
];

/** On the components of `componentFiles`. */
export const grpcAccessCases: readonly Case[] = [
  {
    id: 'G11',
    title: 'over gRPC: a forbidden topic',
    basis: 'R',
    rows: ['grpc.publish.errors'],
    needsGrpc: true,
    run: async (context) => {
      const answer = await publish(context, 'hi', { pubsub_name: 'guarded-a', topic: 'other' });
      const text = `topic other is not allowed for app id ${context.appId}`;
      const details = failed(answer, 'PERMISSION_DENIED', text);
      assert.equal(details.length, 2);
      const { reason, metadata } = info(details);
      assert.equal(reason, `${context.names.reasonPrefix}FORBIDDEN`);
      assert.deepEqual({ ...objectOf(metadata) }, { topic: 'other', error: text });
    },
    spoils: REFUSAL,
  },
  {
    id: 'G11b',
    title: 'over gRPC: a bulk publish to a forbidden topic',
    basis: 'R',
    rows: ['grpc.bulk-publish'],
    needsGrpc: true,
    run: async (context) => {
      const answer = await bulk(context, entries('a'), { pubsub_name: 'guarded-a', topic: 'other' });
      failed(answer, 'PERMISSION_DENIED', `topic other is not allowed for app id ${context.appId}`);
    },
    spoils: REFUSAL,
  },
  {
    id: 'G12',
    title: 'over gRPC: a component that fails',
    basis: 'R',
    rows: ['grpc.publish.errors'],
    needsGrpc: true,
    run: async (context) => {
      const answer = await publish(context, 'BOOM', { pubsub_name: 'failing', topic: 't' });
      const details = failed(answer, 'INTERNAL', /^error when publishing to topic t in pubsub failing: ./);
      const { reason, metadata } = info(details);
      assert.equal(reason, `${context.names.reasonPrefix}PUBLISH_MESSAGE`);
      assert.deepEqual(Object.keys(objectOf(metadata)).toSorted(), ['error', 'topic']);
    },
    spoils: REFUSAL,
  },
  {
    id: 'G24',
    title: 'one of three entries fails in the component: it is named, the others are delivered',
    basis: 'Take',
    rows: ['grpc.bulk-publish'],
    needsGrpc: true,
    subscriptions: (own) => [own.subscription('t', { pubsubname: 'failing' })],
    run: async (context) => {
      const reply = went(await bulk(context, entries('a', 'BOOM', 'c'), { pubsub_name: 'failing' }));
      const all = listOf(reply['failedEntries']).map(objectOf);
      assert.deepEqual(
        all.map((each) => each['entry_id']),
        ['BOOM'],
      );
      assert.notEqual(all[0]?.['error'], '');
      const came = await staysAt(context, 2);
      assert.deepEqual(came.map((each) => each.json()['data']).toSorted(), ['a', 'c']);
    },
    spoils: [otherCode('INTERNAL'), otherGrpcText, lost],
  },
  {
    id: 'G24b',
    title: 'every entry fails in the component: the call fails',
    basis: 'Take',
    rows: ['grpc.bulk-publish'],
    needsGrpc: true,
    subscriptions: (own) => [own.subscription('t', { pubsubname: 'failing' })],
    run: async (context) => {
      const answer = await bulk(context, entries('BOOM'), { pubsub_name: 'failing' });
      failed(answer, 'INTERNAL', /^error when publishing to topic /);
      await nothingArrives(context);
    },
    spoils: [otherCode('OK')],
  },
];

/** With an API token. */
export const grpcTokenCases: readonly Case[] = [
  {
    id: 'G32',
    title: 'over gRPC: no token and a wrong one are refused, the right one is taken',
    basis: 'R',
    rows: ['grpc.publish.errors'],
    needsGrpc: true,
    run: async (context) => {
      const { tokenHeader, errorDomain } = context.names;
      const message = { pubsub_name: context.component, topic: context.topic(), data: Buffer.from('x') };
      const told = [
        [{}, 'missing api token in request metadata'],
        [{ [tokenHeader]: 'wrong' }, 'authentication error: api token mismatch'],
      ] as const;
      for (const [metadata, why] of told) {
        const answer = await context.grpc.call('PublishEvent', message, metadata);
        const details = info(failed(answer, 'UNAUTHENTICATED', 'Unauthorized'));
        assert.deepEqual([details['reason'], details['domain']], ['Unauthorized', errorDomain]);
        assert.deepEqual(
          { ...objectOf(details['metadata']) },
          { 'http.code': '401', 'http.error_message': why },
        );
      }
      went(await context.grpc.call('PublishEvent', message, { [tokenHeader]: API_TOKEN }));
    },
    spoils: [otherCode('OK'), otherCode('UNAUTHENTICATED'), otherGrpcText],
  },
  {
    id: 'G32b',
    title: 'a stream without the token is refused before its first message; with it it is served',
    basis: 'R',
    rows: ['grpc.streams'],
    needsGrpc: true,
    run: async (context) => {
      failed(await context.within(context.grpc.stream().next(), 'the end of the stream'), 'UNAUTHENTICATED');
      const stream = context.grpc.stream({ [context.names.tokenHeader]: API_TOKEN });
      stream.send({ initial_request: { pubsub_name: context.component, topic: context.topic() } });
      went(await context.within(stream.next(), 'the first message of the stream'));
      stream.end();
    },
    spoils: [otherCode('OK'), otherCode('UNAUTHENTICATED')],
  },
];

/** With `--grpc-port off`. */
export const grpcOffCases: readonly Case[] = [
  {
    id: 'G34b',
    title: 'with the gRPC port off the ready line names none, and the sidecar works',
    basis: 'Take',
    rows: ['grpc.limits'],
    run: async (context) => {
      assert.equal(context.grpcAddress, undefined);
      const answer = await context.sidecar.publish(context.topic(), 'hi');
      assert.equal(answer.status, 204);
    },
    spoils: [{ name: 'the sidecar answers 500', answer: (answer) => ({ ...answer, status: 500 }) }],
  },
];
