// The error table against docs/errors.md, in both directions, and the bodies that are made of it.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ERRORS } from '../../core/contract/errors.ts';
import type { ErrorCode, ErrorRow } from '../../core/contract/errors.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { Refusal, errorBody, refusalOf, errorMessage } from '../../core/domain/refusal.ts';
import { TABLES } from './spec-rows.ts';

const text = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const ROUTES = ['publish', 'bulk', 'health', 'binding', 'other', 'grpc', 'rpc'] as const;
const CODES = Object.keys(ERRORS) as ErrorCode[];
const rowOf = (code: ErrorCode): ErrorRow => ERRORS[code];

const documented = new Map(
  [...text.matchAll(/^\| `([A-Z_]+)` \| (.+) \| ([^|]+) \|$/gm)].map((match) => [
    match[1] ?? '',
    match[3] ?? '',
  ]),
);

/** Heading of the code -> the JSON blocks under it. */
const examples = new Map(
  text
    .split(/^### /m)
    .slice(1)
    .map((section) => [
      section.slice(0, section.indexOf('\n')).trim(),
      [...section.matchAll(/```json\n([\s\S]*?)\n```/g)].map(
        (match) => JSON.parse(match[1] ?? '') as Record<string, unknown>,
      ),
    ]),
);

/** The code's text with anything in its named places. */
function pattern(says: string): RegExp {
  const parts = says.replaceAll('{product}', 'sidecar').split(/\{[^}]+\}/);
  return new RegExp(
    `^${parts.map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)).join('.+')}$`,
  );
}

describe('docs/errors.md', () => {
  test('has every code and no other', () => {
    expect([...documented.keys()].toSorted()).toEqual(CODES.toSorted());
    expect([...examples.keys()].toSorted()).toEqual(CODES.toSorted());
  });

  test.each(CODES)('%s is documented with its statuses and numbers', (code) => {
    const row = rowOf(code);
    const said = ROUTES.filter((route) => row[route] !== undefined).map((route) => `${route} ${row[route]}`);
    expect(documented.get(code)).toBe(said.join(', '));
  });

  test.each(CODES)('%s is documented with an example of each text', (code) => {
    const row = rowOf(code);
    const texts = [row.says, ...Object.values(row.variants ?? {}).map(({ says }) => says)];
    const bodies = examples.get(code) ?? [];
    expect(bodies).toHaveLength(texts.length);
    for (const [index, body] of bodies.entries()) {
      expect(body['message']).toMatch(pattern(texts[index] ?? ''));
      expect(body['errorCode'] ?? (body['data'] as { code: string }).code).toBe(code);
    }
  });

  test.each(CODES)('%s is documented with the details of its row', (code) => {
    const row = rowOf(code);
    const [body] = examples.get(code) ?? [];
    const details = body?.['details'] as readonly { reason?: string }[] | undefined;
    expect(details?.length ?? 0).toBe(row.details === undefined ? 0 : row.details.resource ? 2 : 1);
    expect(details?.[0]?.reason).toBe(
      row.details === undefined ? undefined : `SIDECAR_PUBSUB_${row.details.reason}`,
    );
  });
});

test('the statuses of the interface are those of the table', () => {
  const column: Readonly<Record<string, 'publish' | 'bulk' | 'health'>> = {
    publish: 'publish',
    'bulk-publish': 'bulk',
    health: 'health',
  };
  const rows = TABLES.flatMap((table) => table.rows.map((row) => ({ table: table.id, row })));
  const checked = rows.filter(({ table, row }) => column[table] !== undefined && row.code !== undefined);
  expect(checked.length).toBeGreaterThan(7);
  const statusOf = (code: string | undefined, table: string): number | undefined => {
    const known = CODES.find((one) => one === code);
    return known === undefined ? undefined : rowOf(known)[column[table] ?? 'publish'];
  };
  const inCode = checked.map(({ table, row }) => [row.id, statusOf(row.code, table)]);
  expect(inCode).toEqual(checked.map(({ row }) => [row.id, row.status]));
});

describe('bodies', () => {
  test('a forbidden publish has the body of the reference, byte for byte', () => {
    const body = errorBody(
      'ERR_PUBSUB_FORBIDDEN',
      { topic: 'secret', appId: 'checkout', pubsubname: 'pubsub' },
      PROFILES.dapr,
    );
    expect(JSON.stringify(body)).toBe(
      '{"errorCode":"ERR_PUBSUB_FORBIDDEN","message":"topic secret is not allowed for app id checkout","details":[' +
        '{"@type":"type.googleapis.com/google.rpc.ErrorInfo","domain":"dapr.io","metadata":{"error":"topic secret is not allowed for app id checkout","topic":"secret"},"reason":"DAPR_PUBSUB_FORBIDDEN"},' +
        '{"@type":"type.googleapis.com/google.rpc.ResourceInfo","description":"topic secret is not allowed for app id checkout","owner":"","resource_name":"pubsub","resource_type":"pubsub"}]}',
    );
  });

  test('an unknown component has one detail, with the request metadata in order', () => {
    const body = errorBody('ERR_PUBSUB_NOT_FOUND', { pubsubname: 'nope' }, PROFILES.dapr, {
      requestMetadata: { b: '2', a: '1' },
    });
    expect(body.message).toBe('pubsub nope is not found');
    expect(body.details).toHaveLength(1);
    expect(JSON.stringify(body.details?.[0]?.['metadata'])).toBe('{"a":"1","b":"2"}');
  });

  test('the description of an entry that cannot be published lacks the tail', () => {
    const params = {
      pubsubname: 'p',
      topic: 't',
      appId: 'a',
      reason: 'error: mismatch between contentType and event',
    };
    const body = errorBody('ERR_PUBSUB_EVENTS_SER', params, PROFILES.dapr, { variant: 'event' });
    expect(body.message).toBe(
      'error marshaling events to bytes for topic t pubsub p. error: error: mismatch between contentType and event',
    );
    expect(body.details?.[1]?.['description']).toBe('error marshaling events to bytes for topic t pubsub p');
    expect(body.details?.[0]?.['metadata']).toEqual({
      appID: 'a',
      error: 'error: mismatch between contentType and event',
    });
  });

  test('the short form has no details, and the brand word of the profile', () => {
    expect(errorBody('ERR_HEALTH_NOT_READY', {}, PROFILES.dapr)).toEqual({
      errorCode: 'ERR_HEALTH_NOT_READY',
      message: 'dapr is not ready',
    });
    expect(errorMessage('ERR_DIRECT_INVOKE', {}, PROFILES.sidecar)).toContain('the header sidecar-app-id');
  });

  test('a text that fills a placeholder is not changed', () => {
    expect(errorMessage('ERR_PUBSUB_NOT_FOUND', { pubsubname: '$& {topic} $1' }, PROFILES.sidecar)).toBe(
      'pubsub $& {topic} $1 is not found',
    );
  });

  test('a name of blanks alone is in quotes for people, and as on the reference for callers of the sidecar', () => {
    const params = { pubsubname: ' ', topic: 't', appId: 'a' };
    expect(new Refusal('ERR_PUBSUB_NOT_FOUND', params).message).toBe('pubsub " " is not found');
    expect(new Refusal('ERR_PUBSUB_NOT_FOUND', params, { variant: 'bulk' }).message).toBe(
      "pubsub ' ' not found",
    );
    expect(errorBody('ERR_PUBSUB_NOT_FOUND', params, PROFILES.dapr).message).toBe('pubsub   is not found');
  });

  test('a placeholder without a value is empty or shows its word', () => {
    expect(errorMessage('INVALID_PARAMS', {}, PROFILES.sidecar)).toBe('The parameters are not valid.');
    expect(errorMessage('ERR_TOPIC_EMPTY', {}, PROFILES.sidecar)).toBe('topic is empty in pubsub ');
  });
});

test('a complaint becomes a refusal with its text, place and cause', () => {
  const refusal = refusalOf({
    code: 'INVALID_PARAMS',
    field: 'limit',
    expected: '1 to 500',
    reason: 'limit must be 1 to 500, got 0',
  });
  expect(refusal).toBeInstanceOf(Refusal);
  expect([refusal.message, refusal.code, refusal.field, refusal.expected]).toEqual([
    'limit must be 1 to 500, got 0',
    'INVALID_PARAMS',
    'limit',
    '1 to 500',
  ]);
});

describe('profiles', () => {
  test('every name of one profile is the other with the brand word swapped, but for the event router and what the table names', () => {
    const swap = (value: string): string =>
      value.replaceAll('sidecar', 'dapr').replaceAll('Sidecar', 'Dapr').replaceAll('SIDECAR', 'DAPR');
    const { binding: _s, anyCaseNames: _a, bulkEnabledByDefault: _b, ...sidecar } = PROFILES.sidecar;
    const {
      binding: _t,
      anyCaseNames: _c,
      bulkEnabledByDefault: _d,
      runtimeVersion,
      referenceRelease,
      ...dapr
    } = PROFILES.dapr;
    expect(JSON.parse(swap(JSON.stringify(sidecar)))).toEqual(dapr);
    expect(runtimeVersion).toBe('1.13.6');
    expect(runtimeVersion).toContain(referenceRelease);
  });
});
