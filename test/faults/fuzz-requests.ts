/** Hostile requests from a seed: the same seed and number give the same bytes. */

/** Numbers in [0, 1) that a seed settles (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface HostileRequest {
  readonly bytes: Buffer;
  /** The request is whole: an answer has to come. Otherwise the sender just goes away. */
  readonly isWhole: boolean;
}

interface Dice {
  readonly below: (limit: number) => number;
  readonly one: <T>(of: readonly [T, ...T[]]) => T;
  readonly chance: (share: number) => boolean;
}

const METHODS: readonly [string, ...string[]] = [
  'POST',
  'POST',
  'POST',
  'POST',
  'POST',
  'POST',
  'POST',
  'POST',
  'POST',
  'PUT',
  'GET',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'QUERY',
  'PURGE',
];
const PATHS: readonly [string, ...string[]] = [
  '/v1.0/publish/pubsub/orders',
  '/v1.0/publish/pubsub/orders',
  '/v1.0-alpha1/publish/bulk/pubsub/orders',
  '/v1.0-alpha1/publish/bulk/pubsub/orders',
  '/v1.0/publish/pubsub',
  '/v1.0/publish',
  '/v1.0/publish//orders',
  '/v1.0/publish/nope/orders',
  '/v1.0/publish/pubsub/a/../../../../etc/passwd',
  '/v1.0/publish/pubsub/%2e%2e%2f%2e%2e',
  '/v1.0/publish/pubsub/%00',
  '/v1.0/publish/pubsub/%zz',
  '/v1.0/publish/pubsub/%ff%fe',
  '/v1.0/publish/__proto__/constructor',
  '/v1.0-alpha1/publish/bulk/__proto__/toString',
  '/v1.0/bindings/nope',
  '/v1.0/bindings/%E2%82%AC',
  '/v1.0/metadata',
  '/v1.0/metadata/__proto__',
  '/v1.0/metadata/k',
  '/v1.0/healthz',
  '/v1.0/healthz/outbound',
  '/v1.0/healthz/app',
  '/',
  '//',
  '*',
  'http://evil.example/v1.0/healthz',
];
const QUERIES: readonly [string, ...string[]] = [
  '',
  '?',
  '?metadata.ttlInSeconds=1',
  '?metadata.ttlInSeconds=99999999999999999999999h',
  '?metadata.ttlInSeconds=-0x1',
  '?metadata.rawPayload=true',
  '?metadata.rawPayload=maybe',
  '?metadata.rawPayload=%ff',
  '?metadata.maxBulkPubBytes=1e309',
  '?metadata.cloudevent.id=%00%0d%0aX-Evil:1',
  '?metadata.cloudevent.source=&metadata.cloudevent.type=%F0%9F%92%A9',
  '?metadata.__proto__=1&metadata.constructor=2&metadata.=3',
  '?&&&===&metadata',
  '?appid=other',
  `?metadata.k=${'v'.repeat(3_000)}`,
];
/** "none": the header is left out. */
const TYPES: readonly [string, ...string[]] = [
  'none',
  '',
  'application/json',
  'application/json; charset=utf-16',
  'application/cloudevents+json',
  'application/cloudevents+json',
  'application/cloudevents-batch+json',
  'application/octet-stream',
  'text/plain',
  'nonsense',
  'a/b; c="\\"',
  'multipart/form-data; boundary=x',
  '\u00ff\u00fe',
];
const HEADERS: readonly [string, ...string[]] = [
  'traceparent: 00-00000000000000000000000000000000-0000000000000000-00',
  'traceparent: \u00ff',
  'tracestate: =,=,=',
  'origin: https://evil.example',
  'origin: null',
  'expect: nonsense',
  'content-encoding: gzip',
  'upgrade: websocket',
  'sidecar-api-token: ',
  'sidecar-app-id: other',
  'x-long: ' + 'y'.repeat(2_000),
  'content-type: text/html',
];
const BODIES: readonly [string, ...string[]] = [
  '',
  'hi',
  '{}',
  '[]',
  'null',
  '"',
  '{"a":',
  '[[[[',
  '\u0000',
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}',
  '{"specversion":"1.0","id":"","source":{},"type":[],"data":{"a":1},"data_base64":"%%"}',
  '{"id":1,"time":"never","traceparent":5,"traceid":{},"expiration":"0000-00-00T00:00:00Z"}',
  '{"topic":null,"pubsubname":{"toString":1},"subject":"\\ud800"}',
  '{"a":1e999,"b":-0,"c":123456789012345678901234567890}',
  '[{"entryId":"1","event":"x","contentType":"text/plain"}]',
  '[{"entryId":"1","event":"x","contentType":"text/plain"},{"entryId":"1"}]',
  '[{"entryId":"1","event":{"a":1},"contentType":"application/cloudevents+json","metadata":{"ttlInSeconds":"0"}}]',
  '[{"entryId":"1","event":"%%","contentType":"application/octet-stream"}]',
  '[{"EntryID":"1","entryid":"2","event":1,"contentType":"application/json","metadata":{"__proto__":"x"}}]',
  '[1,null,"x",[],{}]',
  '{"operation":"create","data":{"a":1},"metadata":{"k":1}}',
  '{"operation":{"toString":null}}',
];

/** Request `number` of a seed. */
export function hostileRequest(seed: number, number: number): HostileRequest {
  const next = seeded(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const dice: Dice = {
    below: (limit) => Math.floor(next() * limit),
    one: (of) => of[Math.floor(next() * of.length)] ?? of[0],
    chance: (share) => next() < share,
  };
  if (dice.chance(0.05)) return { bytes: noise(dice), isWhole: false };
  const body = bodyOf(dice);
  const head = headOf(dice, body);
  if (dice.chance(0.06)) {
    const whole = Buffer.concat([head, body]);
    return { bytes: whole.subarray(0, dice.below(whole.length)), isWhole: false };
  }
  if (dice.chance(0.05)) return { bytes: Buffer.concat([mutated(dice, head), body]), isWhole: false };
  return { bytes: Buffer.concat([head, body]), isWhole: true };
}

function headOf(dice: Dice, body: Buffer): Buffer {
  const method = dice.one(METHODS);
  const target = dice.one(PATHS) + dice.one(QUERIES);
  const lines = [`${method} ${target} HTTP/1.1`, 'host: 127.0.0.1', 'connection: close'];
  const type = dice.one(TYPES);
  if (type !== 'none') lines.push(`content-type: ${type}`);
  for (let n = dice.below(3); n > 0; n -= 1) lines.push(dice.one(HEADERS));
  lines.push(`content-length: ${body.length}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function bodyOf(dice: Dice): Buffer {
  if (dice.chance(0.02)) return Buffer.from('['.repeat(20_000) + ']'.repeat(dice.below(20_000)));
  if (dice.chance(0.02)) return Buffer.from(`{"a":"${'x'.repeat(dice.below(200_000))}"}`);
  if (dice.chance(0.02)) return Buffer.from(`{"a":`.repeat(3_000) + '1' + '}'.repeat(3_000));
  const body = Buffer.from(dice.one(BODIES));
  return dice.chance(0.3) ? mutated(dice, body) : body;
}

function mutated(dice: Dice, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let n = 1 + dice.below(4); n > 0 && copy.length > 0; n -= 1) {
    copy[dice.below(copy.length)] = dice.below(256);
  }
  return copy;
}

function noise(dice: Dice): Buffer {
  return Buffer.from(Array.from({ length: 1 + dice.below(300) }, () => dice.below(256)));
}
