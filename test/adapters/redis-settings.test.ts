/** Settings of the Redis Streams component, and how an entry is laid out; no server needed. */
import { describe, expect, test } from 'vitest';
import { brokerKey, contentOf, fieldsOf, ID_KEY } from '../../core/adapters/redis-streams/layout.ts';
import { addressOf, readRedisSettings } from '../../core/adapters/redis-streams/settings.ts';
import type { RedisSettings } from '../../core/adapters/redis-streams/settings.ts';
import { outbound } from '../support/broker-parts.ts';

function read(given: Readonly<Record<string, string>>): RedisSettings {
  const all: Readonly<Record<string, string>> = { redisHost: 'redis.test:7000', ...given };
  return readRedisSettings((name) => all[name] ?? '');
}

describe('settings', () => {
  test('without settings the defaults apply', () => {
    expect(read({})).toEqual({
      host: 'redis.test',
      port: 7000,
      username: '',
      password: '',
      db: 0,
      tls: undefined,
      consumerId: '',
      processingTimeoutMs: 60_000,
      redeliverIntervalMs: 15_000,
      queueDepth: 100,
      concurrency: undefined,
      maxLenApprox: 0,
      streamTtlMs: 0,
    });
  });

  test.each([
    ['processingTimeout', '15s', { processingTimeoutMs: 15_000 }],
    ['processingTimeout', '250', { processingTimeoutMs: 250 }],
    ['processingTimeout', '0', { processingTimeoutMs: 0 }],
    ['redeliverInterval', '1m30s', { redeliverIntervalMs: 90_000 }],
    ['redeliverInterval', '500us', { redeliverIntervalMs: 1 }],
    ['redisDB', '3', { db: 3 }],
    ['queueDepth', '7', { queueDepth: 7 }],
    ['concurrency', '1', { concurrency: 1 }],
    ['maxLenApprox', '1000', { maxLenApprox: 1000 }],
    ['consumerID', ' group ', { consumerId: 'group' }],
    ['enableTLS', 'True', { tls: { ca: '', cert: '', key: '' } }],
    ['enableTLS', 'false', { tls: undefined }],
    ['redisType', 'node', {}],
    ['redisHost', 'localhost', { host: 'localhost', port: 6379 }],
    ['redisHost', '[::1]:6380', { host: '::1', port: 6380 }],
  ])('the setting %s is read from "%s"', (name, value, expected) => {
    expect(read({ [name]: value })).toMatchObject(expected);
  });

  test.each([
    ['redisHost', '', /redisHost is missing; expected a host with a port/],
    ['redisHost', 'a:0', /redisHost must be a host with a port/],
    ['redisHost', 'a:b:c', /redisHost must be/],
    ['processingTimeout', 'soon', /processingTimeout must be a time, .*got "soon"/],
    ['redeliverInterval', '-1s', /redeliverInterval must be a time/],
    ['redisDB', '-1', /redisDB must be a whole number 0 to/],
    ['queueDepth', '0', /queueDepth must be a whole number 1 to/],
    ['concurrency', '1.5', /concurrency must be a whole number 1 to/],
    ['maxLenApprox', 'many', /maxLenApprox must be a whole number 0 to/],
    ['enableTLS', 'perhaps', /enableTLS must be true or false, got "perhaps"/],
    ['redisType', 'cluster', /redisType must be node, got "cluster"/],
    ['failover', 'true', /not supported/],
    ['sentinelMasterName', 'one', /^sentinelMasterName is not supported/],
    ['sentinelUsername', 'one', /^sentinelUsername is not supported/],
    ['sentinelPassword', 'one', /^sentinelPassword is not supported/],
    ['useEntraID', 'true', /^useEntraID is not supported/],
  ])('%s "%s" is refused', (name, value, complaint) => {
    expect(() => read({ [name]: value })).toThrow(complaint);
  });

  test('an address with a password in it is not repeated', () => {
    expect(() => read({ redisHost: 'redis://user:hunter2@a:1' })).toThrow(/^(?!.*hunter2)/);
  });

  test.each([
    [{ host: 'a', port: 1 }, 'a:1'],
    [{ host: '::1', port: 1 }, '[::1]:1'],
  ])('the address of %j is %s', (settings, address) => {
    expect(addressOf(settings)).toBe(address);
  });
});

const bytes = (...texts: string[]): Uint8Array[] => texts.map((text) => new TextEncoder().encode(text));

describe('an entry', () => {
  test('is data and the publish metadata, with our id in it', () => {
    const fields = fieldsOf(outbound('t', 'one', { ttlInSeconds: '5' }));
    expect(fields).toEqual(['data', 'one', 'metadata', `{"ttlInSeconds":"5","${ID_KEY}":"msg_one"}`]);
  });

  test('is read back as it was written', () => {
    const fields = fieldsOf(outbound('t', 'one', { ttlInSeconds: '5', __proto__x: 'y' }));
    const read = contentOf(
      fields.map((field) => (typeof field === 'string' ? bytes(field) : [field])).flat(),
    );
    expect(read).toEqual({
      messageId: 'msg_one',
      data: bytes('one')[0],
      metadata: { ttlInSeconds: '5', __proto__x: 'y' },
    });
  });

  test.each([
    ['', {}, /^none$/],
    ['{}', {}, /^none$/],
    ['null', {}, /^none$/],
    ['{"a":"b","n":5,"f":true,"o":{},"z":null}', { a: 'b', n: '5', f: 'true' }, /^none$/],
    ['[1]', {}, /not a JSON object/],
    ['{', {}, /JSON/],
    [`{"${ID_KEY}":"something else"}`, {}, /^none$/],
    [`{"${ID_KEY}":5}`, {}, /^none$/],
  ])('metadata %s of another client is read, or reported', (metadata, expected, trouble) => {
    const read = contentOf(bytes('metadata', metadata, 'data', 'x'));
    expect(read).toMatchObject({ data: bytes('x')[0], metadata: expected });
    expect(read.messageId).toBeUndefined();
    expect(read.trouble ?? 'none').toMatch(trouble);
  });

  test('a member named __proto__ stays a member', () => {
    const { metadata } = contentOf(bytes('data', 'x', 'metadata', '{"__proto__":"y"}'));
    expect(Object.entries(metadata)).toEqual([['__proto__', 'y']]);
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
  });

  test('without data has empty data', () => {
    expect(contentOf(bytes('other', 'x'))).toEqual({ data: new Uint8Array(0), metadata: {} });
  });

  test('has one key for every reader, and no other entry has it', () => {
    const data = new Uint8Array([1]);
    const key = brokerKey('a:1/0', 't', '1-1', data);
    expect(key).toMatch(/^[0-9a-f]{24}$/);
    expect(brokerKey('a:1/0', 't', '1-1', new Uint8Array([1]))).toBe(key);
    const others = [
      brokerKey('a:1/1', 't', '1-1', data),
      brokerKey('a:1/0', 'u', '1-1', data),
      brokerKey('a:1/0', 't', '1-2', data),
      brokerKey('a:1/0', 't', '1-1', new Uint8Array([2])),
    ];
    expect(new Set([key, ...others]).size).toBe(5);
  });
});
