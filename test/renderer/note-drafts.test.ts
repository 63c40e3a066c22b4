/** Notes that were typed and not saved: one text for all places that show it, forgotten as far as it was saved. */
import { expect, test } from 'vitest';
import { createNoteDrafts } from '../../renderer/components/detail/note-drafts.ts';

test('a draft is forgotten as far as it is what was saved', () => {
  const { store, put, saved } = createNoteDrafts();
  put('msg_1', { note: 'first' });
  put('msg_2', { note: 'other' });
  saved('msg_1', { note: 'first', tags: '' });
  expect([...store.getState()]).toEqual([['msg_2', { note: 'other' }]]);
});

test('what was typed while it was saved stays', () => {
  const { store, put, saved } = createNoteDrafts();
  put('msg_1', { note: 'first and second', tags: 'late' });
  saved('msg_1', { note: 'first', tags: 'late' });
  expect(store.getState().get('msg_1')).toEqual({ note: 'first and second' });
});

test('a draft without a field is none', () => {
  const { store, put } = createNoteDrafts();
  put('msg_1', { tags: 'late' });
  put('msg_1', undefined);
  put('msg_2', {});
  expect(store.getState().size).toBe(0);
});
