/** Requests that are saved and loaded: templates, curl commands, examples out of a schema, places in JSON. */
import { describe, expect, test } from 'vitest';
import { publishCurl } from '../../renderer/format/repeat-request.ts';
import { publishAgain } from '../../renderer/format/curl.ts';
import { exampleOf } from '../../renderer/format/example.ts';
import { positionOfPointer } from '../../renderer/format/json-pointer.ts';
import { readText } from '../../renderer/format/text-facts.ts';
import { withoutVariables } from '../../renderer/format/variables.ts';
import { readCurl } from '../../renderer/format/read-curl.ts';
import { EMPTY_SINGLE, type SingleDraft } from '../../renderer/state/publish-drafts.ts';
import { draftOfRequest } from '../../renderer/views/publish/from-request.ts';
import { templateOf } from '../../renderer/views/publish/single-request.ts';
import { wholeMessage } from './samples.ts';

function draft(change: Partial<SingleDraft> = {}): SingleDraft {
  return { ...EMPTY_SINGLE, pubsubname: 'pubsub', topic: 'orders', data: '{"a":1}', ...change };
}

let number = 0;
const nextId = (): number => (number += 1);

/** Rows are numbered again; everything else must come back. */
function plain({ metadata, extensions, ...rest }: SingleDraft): unknown {
  const rows = (pairs: SingleDraft['metadata']): unknown => pairs.map(({ key, value }) => [key, value]);
  return { ...rest, metadata: rows(metadata), extensions: rows(extensions) };
}

describe('a saved form', () => {
  test.each<readonly [string, SingleDraft]>([
    ['wrapped data', draft({ ttl: '5', metadata: [{ id: 1, key: 'k', value: 'v' }] })],
    ['no content type', draft({ contentType: '', data: 'hello' })],
    ['raw', draft({ envelope: 'raw', data: 'hello {{uuid}}' })],
    [
      'an own event',
      draft({
        envelope: 'own',
        data: '{"a":1}',
        attributes: { ...EMPTY_SINGLE.attributes, source: '/shop', type: 'order', subject: 's' },
        extensions: [{ id: 1, key: 'shop', value: 'north' }],
      }),
    ],
  ])('with %s is restored unchanged', (_name, form) => {
    expect(plain(draftOfRequest(templateOf(form), nextId))).toEqual(
      plain({ ...form, data: form.envelope === 'own' ? '{\n  "a": 1\n}' : form.data }),
    );
  });

  test('the host fills in missing members of an own event, and sends its data as typed', () => {
    const own = draft({
      envelope: 'own',
      data: '{"n": {{counter}}, "big": 12345678901234567890}',
      attributes: { ...EMPTY_SINGLE.attributes, source: '/shop', type: 'order' },
    });
    const text = String(templateOf(own).data);
    expect(text).toContain('"id":"{{uuid}}"');
    expect(text).toContain('"time":"{{now}}"');
    expect(text).toContain('"data":{"n": {{counter}}, "big": 12345678901234567890}}');
  });

  test('variables do not make data invalid, in quotes or outside', () => {
    const asked = { kind: 'json', variables: true } as const;
    expect(readText({ ...asked, text: '{"id":"{{uuid}}","n":{{int 1 5}}}' })).toEqual({});
    expect(readText({ ...asked, text: '{"n":{{int 1 5}}' }).mistake).toMatchObject({ line: 1 });
    expect(withoutVariables('a{{b}}c')).toBe('a11111c');
  });
});

describe('a curl command', () => {
  test('copied by Sidelight is read back', () => {
    const message = { ...wholeMessage(), metadata: { ttlInSeconds: '60' } };
    const read = readCurl(publishCurl({ address: 'http://127.0.0.1:3500' }, publishAgain(message)));
    expect(read).toMatchObject({
      pubsubname: message.pubsubname,
      topic: message.topic,
      contentType: message.contentType,
      metadata: { ttlInSeconds: '60' },
    });
  });

  test.each([
    [
      `curl -X POST http://127.0.0.1:3500/v1.0/publish/pubsub/a%20b/c -H 'Content-Type: text/plain' -d "say \\"hi\\""`,
      { pubsubname: 'pubsub', topic: 'a b/c', contentType: 'text/plain', data: 'say "hi"' },
    ],
    [
      'curl localhost:3500/v1.0/publish/p/t --json \'{"a":1}\'',
      { pubsubname: 'p', topic: 't', contentType: 'application/json', data: '{"a":1}' },
    ],
    [
      "curl \\\n  --url http://h/v1.0/publish/p/t \\\n  --data-raw 'it'\\''s' -s -m 5",
      { pubsubname: 'p', topic: 't', contentType: 'application/x-www-form-urlencoded', data: "it's" },
    ],
    ['curl http://h/v1.0/publish/p/t', { pubsubname: 'p', topic: 't', data: '' }],
  ])('%s is read as a request', (text, expected) => {
    expect(readCurl(text)).toEqual(expected);
  });

  test.each([
    ['a%2Fb', 'a/b'],
    ['a+b', 'a b'],
    ['%ff', '\uFFFD'],
  ])('the topic %s is read as the sidecar reads it', (written, topic) => {
    expect(readCurl(`curl http://h/v1.0/publish/p/${written}`)).toMatchObject({ topic });
  });

  test.each(['%', 'a%2', '%zz'])('a path that ends in %s is refused, as by the sidecar', (written) => {
    expect(readCurl(`curl http://h/v1.0/publish/p/${written}`)).toBeUndefined();
  });

  test.each(['', 'wget http://h/v1.0/publish/p/t', 'curl http://h/other', 'curl', "curl 'http://"])(
    '%s is no request',
    (text) => {
      expect(readCurl(text)).toBeUndefined();
    },
  );
});

describe('an example', () => {
  test('has every property of its schema', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        total: { type: 'number', minimum: 0.5 },
        count: { type: 'integer', exclusiveMinimum: 3 },
        kind: { enum: ['a', 'b'] },
        fixed: { const: 7 },
        paid: { type: 'boolean' },
        lines: { type: 'array', items: { $ref: '#/$defs/line' } },
        pair: { prefixItems: [{ type: 'string' }, { type: 'integer' }] },
        either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
        both: {
          allOf: [{ properties: { a: { type: 'integer' } } }, { properties: { b: { type: 'string' } } }],
        },
        given: { examples: ['like this'] },
      },
      $defs: { line: { type: 'object', properties: { sku: { type: 'string', minLength: 6 } } } },
    };
    expect(exampleOf(schema)).toEqual({
      id: '00000000-0000-4000-8000-000000000000',
      total: 0.5,
      count: 4,
      kind: 'a',
      fixed: 7,
      paid: true,
      lines: [{ sku: 'textxx' }],
      pair: ['text', 1],
      either: 'text',
      both: { a: 1, b: 'text' },
      given: 'like this',
    });
  });

  test('ends if a schema refers to itself', () => {
    const schema = { properties: { next: { $ref: '#' } } };
    expect(JSON.stringify(exampleOf(schema)).length).toBeLessThan(500);
  });

  test.each([true, false, null, 'x'])('an example of %j is null', (schema) => {
    expect(exampleOf(schema)).toBeNull();
  });
});

describe('a JSON pointer', () => {
  const text = '{\n  "a": [1, {"b/c": "x, ]"}],\n  "d": {"~": true}\n}';
  test.each([
    ['', 1, 1],
    ['/a', 2, 8],
    ['/a/0', 2, 9],
    ['/a/1', 2, 12],
    ['/a/1/b~1c', 2, 20],
    ['/d', 3, 8],
    ['/d/~0', 3, 14],
    ['/a/9', 2, 8],
    ['/none', 1, 1],
  ])('%s is at line %i, column %i', (pointer, line, column) => {
    expect(positionOfPointer(text, pointer)).toEqual({ line, column });
  });
});
