/** From schema to schema, and the forms of signature tokens (T16). */
import { describe, expect, test } from 'vitest';
import { INPUT_SCHEMAS } from '../../core/contract/event-router/words.ts';
import { deliveredText } from '../../core/local-router/rules/event-mapping.ts';
import { readInputMapping } from '../../core/local-router/rules/input-mapping.ts';
import { readPublish } from '../../core/local-router/rules/published.ts';
import { schemaConflict } from '../../core/local-router/rules/record-body.ts';
import { readSas, sasCovers, sasText } from '../../core/local-router/rules/sas.ts';
import { retryAfterSeconds } from '../../core/local-router/rules/schedule.ts';
import { readWirePath } from '../../core/local-router/rules/wire-path.ts';

const ID = '/subscriptions/s/resourceGroups/g/providers/N.S/topics/custom';
const FACTS = { id: 'made-id', time: '2026-01-02T03:04:05.000Z' };

function topic(properties: Readonly<Record<string, unknown>>) {
  const read = readInputMapping({ inputSchemaMappingType: 'Json', properties });
  if (!read.ok) throw new Error(read.complaint);
  return { resourceId: ID, inputSchema: 'CustomEventSchema' as const, inputSchemaMapping: read.value };
}

function publish(to: ReturnType<typeof topic>, event: Readonly<Record<string, unknown>>) {
  const text = JSON.stringify([event]);
  return readPublish(to, {
    contentType: 'application/json',
    text,
    maxEventBytes: 1e6,
    sizeOf: (one) => one.length,
  });
}

describe('T16 custom events', () => {
  const mapped = topic({
    id: { sourceField: 'order.no' },
    eventTime: { sourceField: 'when' },
    eventType: { sourceField: 'kind', defaultValue: 'order' },
    subject: { defaultValue: 'orders' },
    dataVersion: { sourceField: 'v', defaultValue: '1' },
  });

  function delivered(
    event: Readonly<Record<string, unknown>>,
    schema: 'EventGridSchema' | 'CloudEventSchemaV1_0' | 'CustomInputSchema',
  ) {
    const text = JSON.stringify(event);
    return JSON.parse(
      deliveredText({ schema: 'CustomEventSchema', text }, schema, { ...mapped, ...FACTS }),
    ) as unknown;
  }

  test('members come from the mapping, then from defaults, then from the router', () => {
    const full = { order: { no: 7 }, when: '2026-02-02T00:00:00Z', kind: 'big', v: '2' };
    expect(delivered(full, 'EventGridSchema')).toEqual({
      id: '7',
      topic: ID,
      subject: 'orders',
      data: full,
      eventType: 'big',
      eventTime: '2026-02-02T00:00:00Z',
      metadataVersion: '1',
      dataVersion: '2',
    });
    expect(delivered({ a: 1 }, 'EventGridSchema')).toMatchObject({
      id: 'made-id',
      eventTime: FACTS.time,
      eventType: 'order',
      dataVersion: '1',
    });
    expect(delivered({ a: 1 }, 'CloudEventSchemaV1_0')).toMatchObject({
      specversion: '1.0',
      id: 'made-id',
      source: ID,
      type: 'order',
      dataschema: '#1',
      data: { a: 1 },
    });
    expect(delivered({ a: 1 }, 'CustomInputSchema')).toEqual({ a: 1 });
  });

  test('a type that is neither mapped nor defaulted refuses the event', () => {
    expect(publish(mapped, { any: 1 })).toMatchObject({ ok: true });
    expect(publish(topic({ subject: { defaultValue: 's' } }), { any: 1 })).toMatchObject({
      ok: false,
      complaint: {
        status: 400,
        index: 0,
        reason: "Event[0]: Property 'eventType' is neither mapped nor has it a default.",
      },
    });
  });
});

test('an event without mapping is delivered byte for byte', () => {
  const text = '{ "specversion":"1.0", "id":"1","n":12345678901234567890 }';
  const context = { resourceId: ID, inputSchemaMapping: null, ...FACTS };
  expect(deliveredText({ schema: 'CloudEventSchemaV1_0', text }, 'CloudEventSchemaV1_0', context)).toBe(text);
});

test('only one pair of schemas is refused', () => {
  const deliveries = ['EventGridSchema', 'CloudEventSchemaV1_0', 'CustomInputSchema'] as const;
  const refused = INPUT_SCHEMAS.flatMap((input) =>
    deliveries.flatMap((delivery) =>
      schemaConflict(input, delivery) === undefined ? [] : [[input, delivery]],
    ),
  );
  expect(refused).toEqual([['CloudEventSchemaV1_0', 'EventGridSchema']]);
});

test('an invalid mapping is refused', () => {
  for (const given of [
    {},
    { inputSchemaMappingType: 'Json' },
    { inputSchemaMappingType: 'Xml', properties: {} },
  ]) {
    expect(readInputMapping(given).ok).toBe(false);
  }
  expect(
    readInputMapping({ inputSchemaMappingType: 'Json', properties: { id: { sourceField: 1 } } }).ok,
  ).toBe(false);
});

describe('signature tokens', () => {
  test('the sample of the JavaScript client is read unchanged', () => {
    const token =
      'r=https%3A%2F%2Flocalhost%3A43775%2Ftopics%2Forders%2Fapi%2Fevents%3FapiVersion%3D2018-01-01&e=1%2F2%2F2030%203%3A04%3A05%20PM&s=pGnAyTDOai%2FreyTOkseJ9FSOuonFuwlFrthvrK%2FRPWY%3D';
    expect(readSas(token)).toEqual({
      signed: token.slice(0, token.indexOf('&s=')),
      signature: 'pGnAyTDOai/reyTOkseJ9FSOuonFuwlFrthvrK/RPWY=',
      resource: 'https://localhost:43775/topics/orders/api/events',
      expiresMs: Date.parse('2030-01-02T15:04:05Z'),
    });
  });

  test.each([
    ['12/31/2030 12:00:00 AM', '2030-12-31T00:00:00Z'],
    ['2030-01-02T15:04:05', '2030-01-02T15:04:05Z'],
    ['2030-01-02T15:04:05+02:00', '2030-01-02T13:04:05Z'],
    ['2030-01-02 15:04:05', '2030-01-02T15:04:05Z'],
  ])('%s expires at %s', (expiry, at) => {
    expect(readSas(`r=x&e=${encodeURIComponent(expiry)}&s=y`)?.expiresMs).toBe(Date.parse(at));
  });

  test('a created token expires correctly at noon and midnight', () => {
    for (const at of ['2030-01-02T00:04:05Z', '2030-01-02T12:04:05Z']) {
      expect(readSas(`${sasText('https://h/x', Date.parse(at))}&s=y`)?.expiresMs).toBe(Date.parse(at));
    }
  });

  test('a token covers its address and what lies below it', () => {
    const at = 'https://localhost:7443/topics/orders/api/events';
    expect(sasCovers('HTTPS://LOCALHOST:7443/topics/orders', at)).toBe(true);
    expect(sasCovers('https://localhost:7443/topics/ord', at)).toBe(false);
    expect(sasCovers('https://localhost:7443/Topics/orders', at)).toBe(false);
    expect(sasCovers('', at)).toBe(false);
  });
});

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-01-02T03:04:05Z');
  const read = (value: string | undefined) => retryAfterSeconds(value, now);
  expect([
    read('90'),
    read('Fri, 02 Jan 2026 03:05:05 GMT'),
    read('soon'),
    read(undefined),
    read('-5'),
  ]).toEqual([90, 60, undefined, undefined, undefined]);
});

test('a path is collapsed and decoded once', () => {
  expect(readWirePath('//a//b%20c/?x=1')).toEqual({ path: '/a/b%20c', segments: ['a', 'b c'], query: 'x=1' });
  for (const trick of ['/a/../b', '/a/%2e%2e/b', '/a%2Fb', '/a\\b', '/a%5Cb', '/%zz', '/a%00', 'a', '/a#b']) {
    expect([trick, readWirePath(trick)]).toEqual([trick, undefined]);
  }
});
