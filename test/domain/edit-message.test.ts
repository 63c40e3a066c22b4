// Edits of a message keep every byte that was not changed; an answer explained without sending it.
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { editMessage, withExpiration } from '../../core/domain/edit-message.ts';
import type { Editable } from '../../core/domain/edit-message.ts';
import { explainVerdict } from '../../core/domain/explain-verdict.ts';
import { rowsOf } from './spec-rows.ts';
import { bytes, codec } from './node-codec.ts';

const wire =
  '{"data":{"n": 12345678901234567890},"datacontenttype":"application/json","ext":[1.50],"id":"e1","topic":"orders"}';
const message: Editable = { wire, raw: false, contentType: 'application/json' };

describe('changes', () => {
  test('without changes the bytes stay the same', () => {
    expect(editMessage(message, {}, codec)).toEqual({ wire, contentType: 'application/json' });
    expect(editMessage(message, { metadata: { a: 'b' } }, codec).wire).toBe(wire);
  });

  test('an attribute is set, another removed, the rest keeps its digits', () => {
    expect(editMessage(message, { attributes: { id: null, subject: 's' } }, codec).wire).toBe(
      '{"data":{"n": 12345678901234567890},"datacontenttype":"application/json","ext":[1.50],"subject":"s","topic":"orders"}',
    );
  });

  test('topic, data and content type can be replaced', () => {
    expect(
      JSON.parse(String(editMessage(message, { topic: 't2', data: { x: 1 } }, codec).wire)),
    ).toMatchObject({ topic: 't2', data: { x: 1 } });
    expect(editMessage(message, { data: '{"n": 99999999999999999999}' }, codec).wire).toContain(
      '"data":{"n": 99999999999999999999}',
    );
    expect(JSON.parse(String(editMessage(message, { data: 'no json' }, codec).wire))).toMatchObject({
      data: 'no json',
    });
    const binary = editMessage(message, { data: 'hi', contentType: 'application/octet-stream' }, codec);
    expect(JSON.parse(String(binary.wire))).toMatchObject({
      data_base64: 'aGk=',
      datacontenttype: 'application/octet-stream',
    });
    expect(JSON.parse(String(binary.wire))).not.toHaveProperty('data');
  });

  test('changes of a raw message replace its data', () => {
    const raw: Editable = { wire: bytes(1, 2), raw: true, contentType: 'image/png' };
    expect(editMessage(raw, { attributes: { id: 'x' } }, codec)).toEqual({
      wire: bytes(1, 2),
      contentType: 'image/png',
    });
    expect(editMessage(raw, { data: 'text', contentType: 'text/plain' }, codec)).toEqual({
      wire: 'text',
      contentType: 'text/plain',
    });
  });

  test('a moment of expiry is set, replaced and removed', () => {
    const later = withExpiration(wire, false, '2030-01-01T00:00:00Z', codec);
    expect(JSON.parse(String(later))).toMatchObject({ expiration: '2030-01-01T00:00:00Z', id: 'e1' });
    expect(withExpiration(later, false, undefined, codec)).toBe(wire);
    expect(withExpiration(wire, false, undefined, codec)).toBe(wire);
    expect(withExpiration('raw', true, '2030-01-01T00:00:00Z', codec)).toBe('raw');
  });

  test('an event without a moment of expiry is not parsed to remove one', () => {
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    expect(withExpiration(wire, false, undefined, codec)).toBe(wire);
    expect(parse).not.toHaveBeenCalled();
    const escaped = '{"id":"e1","\\u0065xpiration":"2030-01-01T00:00:00Z"}';
    expect(withExpiration(escaped, false, undefined, codec)).toBe('{"id":"e1"}');
  });

  test('property: attributes that were not named stay', () => {
    const name = fc.constantFrom('id', 'subject', 'ext', 'custom', 'other');
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(fc.constant(null), fc.string())), (attributes) => {
        const before = JSON.parse(wire) as Record<string, unknown>;
        const after = JSON.parse(String(editMessage(message, { attributes }, codec).wire)) as Record<
          string,
          unknown
        >;
        const expected = { ...before, ...attributes };
        for (const key of Object.keys(expected)) if (expected[key] === null) delete expected[key];
        expect(after).toEqual(expected);
      }),
    );
  });
});

describe('an answer explained', () => {
  const STATE: Readonly<Record<string, string>> = {
    processed: 'processed',
    retry: 'retrying',
    dropped: 'dropped',
  };
  const cases = (['single', 'bulk'] as const).flatMap((kind) =>
    rowsOf(kind).flatMap((row) =>
      (row.examples ?? []).flatMap(({ status, body }) =>
        body === null ? [] : [{ kind, rule: row.id, outcome: row.outcome ?? '', status, body }],
      ),
    ),
  );

  test.each(cases)('$kind $status $body has its state and rule', ({ kind, rule, outcome, status, body }) => {
    expect(explainVerdict({ kind, status, body, entryId: 'a' })).toMatchObject({
      state: STATE[outcome],
      rule,
    });
  });

  test('a number that is no status of HTTP is refused, and is a code over gRPC', () => {
    expect(() => explainVerdict({ kind: 'single', status: 14 })).toThrow(
      'status must be an integer 100 to 599',
    );
    expect(explainVerdict({ kind: 'single', protocol: 'grpc', status: 14 })).toMatchObject({
      rule: 'grpc.error',
    });
  });

  test('says which word was read, and none where the answer says none', () => {
    const state = 'retrying';
    expect(explainVerdict({ kind: 'single', status: 200, body: '{"STATUS":"drop"}' })).toEqual({
      state,
      rule: 'single.2xx.other',
      word: 'drop',
    });
    const body = '{"statuses":[{"entryId":"a","Status":"LATER"}]}';
    expect(explainVerdict({ kind: 'bulk', status: 200, body, entryId: 'a' })).toEqual({
      state,
      rule: 'bulk.2xx.other',
      word: 'LATER',
    });
    expect(explainVerdict({ kind: 'single', status: 503 })).toEqual({ state, rule: 'single.other' });
  });

  test('without an entryId the entry is called 1', () => {
    expect(
      explainVerdict({ kind: 'bulk', status: 200, body: '{"statuses":[{"entryId":"1","status":"DROP"}]}' })
        .rule,
    ).toBe('bulk.2xx.drop');
    expect(explainVerdict({ kind: 'single', status: 204 }).rule).toBe('single.2xx.empty');
  });
});
