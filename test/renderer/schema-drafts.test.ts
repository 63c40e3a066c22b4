/** A schema that was typed and is not bound stays for its tab. */
import { expect, test } from 'vitest';
import { replacedBy, schemaDraftsOf } from '../../renderer/views/publish/schema-drafts.ts';

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

test('an edited schema is replaced only while the topic still has it', () => {
  const edited = { ...schemaDraftsOf({}).of(1), schemaId: 'a' };
  expect(replacedBy(edited, [{ schemaId: 'b' }, { schemaId: 'a' }])).toBe('a');
  expect(replacedBy(edited, [{ schemaId: 'b' }])).toBeUndefined();
  expect(replacedBy({ ...edited, schemaId: undefined }, [{ schemaId: 'a' }])).toBeUndefined();
});
