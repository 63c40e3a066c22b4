/** Where Settings say that the address of an app cannot be changed. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Address } from '../../renderer/views/settings/AppsSection.tsx';
import { wordsOf } from './drawn.tsx';

const URL = 'http://127.0.0.1:8080';

test.each([
  [
    'an address that only the start gives',
    URL,
    true,
    `${URL} · set at the start. To change it, start Sidelight again with another one (--app-url, --app, or appPort in the file of a run).`,
  ],
  ['an address that has a field below', URL, false, URL],
  ['no address', undefined, true, 'no address: the app only publishes, or opens a stream'],
])('%s', (_title, url, isFixed, says) => {
  expect(wordsOf(renderToStaticMarkup(<Address url={url} isFixed={isFixed} />))).toBe(says);
});
