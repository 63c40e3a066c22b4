/** Settings of the JetStream component, names and layout; no server needed. */
import { headers } from '@nats-io/transport-node';
import { describe, expect, test } from 'vitest';
import { contentOf, headersOf } from '../../core/adapters/jetstream/layout.ts';
import { brokerKey, consumerName, streamNameFor } from '../../core/adapters/jetstream/names.ts';
import { readJetStreamSettings } from '../../core/adapters/jetstream/settings.ts';
import type { JetStreamSettings } from '../../core/adapters/jetstream/settings.ts';
import { covers } from '../../core/adapters/jetstream/streams.ts';
import { outbound } from '../support/broker-parts.ts';

const PEM = '-----BEGIN CERTIFICATE-----\n';
const SEED = `SU${'A'.repeat(56)}`;

function read(given: Readonly<Record<string, string>>): JetStreamSettings {
  const all: Readonly<Record<string, string>> = { natsURL: 'nats://nats.test:4333', ...given };
  return readJetStreamSettings((name) => all[name] ?? '');
}

describe('settings', () => {
  test('without settings the defaults of the reference apply', () => {
    expect(read({})).toEqual({
      servers: ['nats.test:4333'],
      name: '',
      user: '',
      password: '',
      token: '',
      jwt: '',
      seedKey: '',
      tls: undefined,
      streamName: '',
      group: '',
      start: { policy: 'all' },
      ackWaitMs: 30_000,
      backOffMs: [],
      maxDeliver: undefined,
      maxAckPending: 10_000,
      replicas: 1,
      memoryStorage: false,
      heartbeatMs: undefined,
      domain: '',
      apiPrefix: '',
      single: false,
    });
  });

  test.each([
    [{ natsURL: 'a' }, { servers: ['a:4222'] }],
    [{ natsURL: 'nats://a:1, b:2' }, { servers: ['a:1', 'b:2'] }],
    [{ natsURL: '[::1]:4222' }, { servers: ['[::1]:4222'] }],
    [{ natsURL: 'nats://me:p%40ss@a' }, { user: 'me', password: 'p@ss', token: '' }],
    [{ natsURL: 'nats://t0ken@a' }, { user: '', token: 't0ken' }],
    [{ natsURL: 'tls://a' }, { tls: { ca: '', cert: '', key: '' } }],
    [{ token: ' t ' }, { token: 't' }],
    [
      { jwt: 'eyJ', seedKey: SEED },
      { jwt: 'eyJ', seedKey: SEED },
    ],
    [{ tls_client_cert: PEM, tls_client_key: PEM }, { tls: { ca: '', cert: PEM, key: PEM } }],
    [{ caCert: PEM }, { tls: { ca: PEM, cert: '', key: '' } }],
    [{ durableName: 'd', queueGroupName: 'q', consumerID: 'c' }, { group: 'd' }],
    [{ queueGroupName: 'q', consumerID: 'c' }, { group: 'q' }],
    [{ consumerID: 'c' }, { group: 'c' }],
    [{ ackWait: '5s' }, { ackWaitMs: 5_000 }],
    [{ backOff: '1s, 2s,1m' }, { backOffMs: [1_000, 2_000, 60_000] }],
    [{ maxDeliver: '3', backOff: '1s,2s' }, { maxDeliver: 3 }],
    [{ deliverPolicy: 'New' }, { start: { policy: 'new' } }],
    [{ deliverPolicy: 'sequence', startSequence: '7' }, { start: { policy: 'sequence', sequence: 7 } }],
    [
      { deliverPolicy: 'time', startTime: '86400' },
      { start: { policy: 'time', time: '1970-01-02T00:00:00.000Z' } },
    ],
    [{ ackPolicy: 'explicit', flowControl: 'true', rateLimit: '0' }, {}],
    [{ concurrency: 'single' }, { single: true }],
    [{ concurrency: 'parallel' }, { single: false }],
    [
      { replicas: '3', memoryStorage: 'true' },
      { replicas: 3, memoryStorage: true },
    ],
    [{ heartbeat: '2s' }, { heartbeatMs: 2_000 }],
    [
      { domain: 'hub', apiPrefix: '$JS.hub.API' },
      { domain: 'hub', apiPrefix: '$JS.hub.API' },
    ],
  ])('settings %j are read', (given, expected) => {
    expect(read(given)).toMatchObject(expected);
  });

  test.each([
    [{ natsURL: '' }, /^natsURL is missing; expected nats:\/\/host:port/],
    [{ natsURL: 'http://a' }, /^natsURL must be nats:\/\/host:port/],
    [{ natsURL: 'nats://a/path' }, /^natsURL must be/],
    [{ natsURL: 'a:99999' }, /^natsURL must be/],
    [{ natsURL: 'nats://%zz:x@a' }, /^user and password in natsURL must be percent-encoded/],
    [{ jwt: 'eyJ' }, /^jwt and seedKey go together; seedKey is missing/],
    [{ seedKey: SEED }, /jwt is missing/],
    [{ jwt: 'eyJ', seedKey: 'hunter2' }, /^seedKey must be the seed of a user/],
    [{ token: 't', jwt: 'eyJ', seedKey: SEED }, /^give only one of token, jwt with seedKey, and a user/],
    [{ tls_client_cert: PEM }, /tls_client_key is missing/],
    [{ tls_client_key: PEM }, /tls_client_cert is missing/],
    [{ caCert: '/etc/ca.pem' }, /^caCert must be text in PEM format/],
    [{ streamName: 'a.b' }, /^streamName must be a name without .*got "a.b"/],
    [{ durableName: 'a b' }, /^durableName must be a name/],
    [{ queueGroupName: '>' }, /^queueGroupName must be a name/],
    [{ ackWait: 'soon' }, /^ackWait must be a time, .*got "soon"/],
    [{ ackWait: '1ms' }, /^ackWait must be at least 100ms, got 1ms/],
    [{ backOff: '1s,,2s' }, /^backOff must be a time/],
    [{ maxDeliver: '0' }, /^maxDeliver must be a whole number 1 to/],
    [{ maxDeliver: '2', backOff: '1s,2s' }, /^maxDeliver must be more than the 2 waits in backOff/],
    [{ maxAckPending: '-1' }, /^maxAckPending must be a whole number/],
    [{ deliverPolicy: 'first' }, /^deliverPolicy must be all, last, new, sequence or time, got "first"/],
    [{ deliverPolicy: 'sequence' }, /^startSequence is missing/],
    [{ deliverPolicy: 'time' }, /^startTime is missing/],
    [{ startSequence: '7' }, /^startSequence goes with deliverPolicy sequence only/],
    [{ startTime: '7' }, /^startTime goes with deliverPolicy time only/],
    [{ ackPolicy: 'none' }, /^ackPolicy must be explicit, got "none"/],
    [{ rateLimit: '1024' }, /^rateLimit is not supported/],
    [{ flowControl: 'perhaps' }, /^flowControl must be true or false/],
    [{ concurrency: '5' }, /^concurrency must be parallel or single/],
    [{ replicas: '6' }, /^replicas must be a whole number 1 to 5/],
    [{ heartbeat: '1ms' }, /^heartbeat must be at least 500ms/],
    [{ heartbeat: '1h' }, /^heartbeat must be at most 30s/],
    [{ domain: 'a b' }, /^domain must be a part of a subject/],
  ])('%j is refused', (given, complaint) => {
    expect(() => read(given)).toThrow(complaint);
  });

  test('secrets are not repeated', () => {
    for (const given of [
      { natsURL: 'nats://me:hunter2@a/x' },
      { natsURL: 'nats://me:%zhunter2@a' },
      { jwt: 'hunter2' },
      { jwt: 'x', seedKey: 'hunter2' },
      { tls_client_key: 'hunter2', tls_client_cert: 'x' },
    ])
      expect(() => read(given)).toThrow(/^(?!.*hunter2)/);
  });
});

describe('names', () => {
  test('two topics or groups never share a name', () => {
    const topics = ['a.b', 'a_b', 'a/b', 'a b', 'ü', 'a-b'];
    expect(new Set(topics.map(streamNameFor)).size).toBe(topics.length);
    expect(new Set(topics.map((topic) => consumerName('app', topic))).size).toBe(topics.length);
    for (const topic of topics) expect(consumerName(topic, topic)).toMatch(/^[\w-]+$/);
  });

  test('a message has the same key for every reader, and no other message has it', () => {
    const keys = [brokerKey('s', 1, 5n), brokerKey('t', 1, 5n), brokerKey('s', 2, 5n), brokerKey('s', 1, 6n)];
    expect(new Set(keys).size).toBe(4);
    expect(brokerKey('s', 1, 5n)).toBe(keys[0]);
  });

  test.each([
    ['a', 'a', true],
    ['a', 'b', false],
    ['a.*', 'a.b', true],
    ['a.*', 'a.b.c', false],
    ['a.>', 'a.b.c', true],
    ['a.>', 'a', false],
    ['>', 'a', true],
    ['*.b', 'a.b', true],
    ['a.b', 'a', false],
  ])('the subject %s includes %s: %s', (pattern, subject, expected) => {
    expect(covers(pattern, subject)).toBe(expected);
  });
});

describe('headers', () => {
  test('metadata that is written and read again is unchanged', () => {
    const metadata: Record<string, string> = {
      plain: 'x',
      'with space': 'y',
      'Nats-Msg-Id': 'not yours',
      lines: 'a\r\nb',
      around: ' z ',
      empty: '',
      ü: '\u202e\u{1f600}',
    };
    Object.defineProperty(metadata, '__proto__', { value: 'p', enumerable: true });
    const read = contentOf(headersOf(outbound('t', 'one', metadata)));
    expect(read.messageId).toBe('msg_one');
    expect(Object.entries(read.metadata).toSorted()).toEqual(Object.entries(metadata).toSorted());
    expect(Object.getPrototypeOf(read.metadata)).toBe(Object.prototype);
  });

  test.each(['{', '{}', '[1]', '[["a",1]]'])(
    'metadata %s of another client is reported, and the message is still read',
    (text) => {
      const given = headers();
      given.set('Sidelight-Metadata', text);
      given.set('a', 'b');
      const read = contentOf(given);
      expect(read.metadata).toEqual({ a: 'b' });
      expect(read.trouble).toMatch(/^Sidelight-Metadata/);
    },
  );

  test('a message without headers has no metadata', () => {
    expect(contentOf(undefined)).toEqual({ metadata: {} });
  });
});
