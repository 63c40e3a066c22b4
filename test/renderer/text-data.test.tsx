/** A payload that the app gets as a text is shown as one, even if it looks like JSON. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { DataTab } from '../../renderer/components/detail/DataTab.tsx';
import { drawn, known, wordsOf } from './drawn.tsx';
import { wholeMessage } from './samples.ts';

const NOTE = 'The app gets this as a text, not as a JSON value.';

function shown(
  data: unknown,
  contentType: string,
): { readonly mode: string | undefined; readonly said: boolean } {
  const message = wholeMessage({ data, contentType });
  const saved = { schemas: known({ items: [] }) };
  const parts = {
    saved,
    ui: createStore(() => ({ wrap: true, appId: '', columnsByApp: {}, ownColumns: [] })),
    acting: {},
    connection: createStore(() => ({})),
  };
  const html = drawn(<DataTab message={message} />, parts);
  return {
    mode: /aria-(?:checked|pressed|selected)="true"[^>]*>(?:<[^>]*>)*([A-Za-z]+)/.exec(html)?.[1],
    said: wordsOf(html).includes(NOTE),
  };
}

test.each([
  ['{"n":1}', 'aplication/json', { mode: 'Text', said: true }],
  ['{"n":1}', 'application/json', { mode: 'Text', said: true }],
  ['late', 'text/plain', { mode: 'Text', said: false }],
  [{ n: 1 }, 'application/json', { mode: 'JSON', said: false }],
])('data %j of type %s', (data, contentType, expected) => {
  expect(shown(data, contentType)).toEqual(expected);
});
