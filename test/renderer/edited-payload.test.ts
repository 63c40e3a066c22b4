/** The payload that a person edited for a delivery, read from the bytes that the delivery sends. */
import { expect, test } from 'vitest';
import { editedPayload, editedType } from '../../renderer/components/detail/DataTab.tsx';

const envelope = (member: string): string => `{"specversion":"1.0","id":"1"${member}}`;

test.each<[string, boolean, string, string]>([
  [
    'JSON with all its digits',
    false,
    envelope(',"data":{"n":12345678901234567890}'),
    '{"n":12345678901234567890}',
  ],
  ['a text', false, envelope(String.raw`,"data":"late \"fee\""`), 'late "fee"'],
  ['bytes', false, envelope(',"data_base64":"bGF0ZQ=="'), 'late'],
  ['no data', false, envelope(''), ''],
  ['a payload without an envelope', false, 'as it is', 'as it is'],
  ['a payload without an envelope that has data', false, '{"data":1,"more":2}', '{"data":1,"more":2}'],
  ['a raw message', true, envelope(',"data":1'), envelope(',"data":1')],
])('%s', (_name, raw, body, expected) => {
  expect(editedPayload(raw, { body }).text).toBe(expected);
});

test('bytes of a raw message, and a body that was cut, are shown as they are', () => {
  expect(editedPayload(true, { body: '/wA=', bodyBase64: true }).isBinary).toBe(true);
  const cut = '{"specversion":"1.0","data":{"a":';
  expect(editedPayload(false, { body: cut, bodyTruncated: true }).text).toBe(cut);
});

test('the content type is that of the edited event', () => {
  const ofMessage = { raw: false, contentType: 'application/json' };
  expect(editedType(ofMessage, { body: envelope(',"datacontenttype":"text/xml","data":"<a/>"') })).toBe(
    'text/xml',
  );
  expect(editedType(ofMessage, { body: envelope(',"data":1') })).toBe('application/json');
  expect(editedType({ ...ofMessage, raw: true }, { body: envelope(',"datacontenttype":"text/xml"') })).toBe(
    'application/json',
  );
  // What is shown of a body that was cut is the start of the event itself.
  const cut = '{"specversion":"1.0","data":"<a';
  expect(editedType({ raw: false, contentType: 'text/xml' }, { body: cut, bodyTruncated: true })).toBe(
    'application/cloudevents+json',
  );
});
