/** A schema that was typed and is not bound stays for its tab. */
import { expect, test } from 'vitest';
import { schemaDraftsOf } from '../../renderer/views/publish/schema-drafts.ts';

test('a typed schema is there again until it is bound, for its tab and its window alone', () => {
  const window = {};
  const empty = schemaDraftsOf(window).of(1);
  const typed = { ...empty, text: '{ "type": "string" }' };
  schemaDraftsOf(window).keep(1, typed);
  expect(schemaDraftsOf(window).of(1)).toEqual(typed);
  expect(schemaDraftsOf(window).of(2)).toEqual(empty);
  expect(schemaDraftsOf({}).of(1)).toEqual(empty);
  expect(schemaDraftsOf(window).keep(1, undefined)).toEqual(empty);
  expect(schemaDraftsOf(window).of(1)).toEqual(empty);
});
