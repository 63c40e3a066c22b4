/** The small apps of the first screen: filled in, and those whose language is here answer as an app does. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { SNIPPETS } from '../../renderer/copy/app-snippets.ts';
import { fillSnippet, snippetPlace } from '../../renderer/format/snippet.ts';
import { freePort } from '../support/free-port.ts';

const RUNNERS = [
  ['node', process.execPath, 'app.mjs'],
  ['python', 'python3', 'app.py'],
] as const;

let child: ChildProcess | undefined;
let folder = '';
afterEach(() => {
  child?.kill('SIGKILL');
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

test('each app says under which name it is saved, and how it is started', () => {
  expect(SNIPPETS.filter(({ start }) => start === undefined).map(({ id }) => id)).toEqual(['curl']);
  for (const [id, , file] of RUNNERS) expect(SNIPPETS.find((each) => each.id === id)?.start?.file).toBe(file);
});

const textOf = (id: string): string => SNIPPETS.find((each) => each.id === id)?.text ?? '';

test.each(SNIPPETS.map(({ id }) => [id]))('%s has no place left open', (id) => {
  const filled = fillSnippet(textOf(id), { port: 8080, discovery: '/sidecar/subscribe', pubsub: 'pubsub' });
  expect(filled).not.toMatch(/%\w+%/);
  expect(filled).toContain('/sidecar/subscribe');
  expect(filled).toContain('8080');
});

test.each([
  [[{ app: 'http://127.0.0.1:6001', mockUrl: 'http://127.0.0.1:6001' }], { port: 8080, how: 'enter' }],
  [[{ app: 'http://127.0.0.1:8081' }], { port: 8081, how: 'given', app: 'http://127.0.0.1:8081' }],
  [[{ app: 'http://shop.test:8081' }], { port: 8080, how: 'start' }],
  [[{}], { port: 8080, how: 'start' }],
])('the small app of a run with the apps %j is told where to listen', (apps, place) => {
  expect(snippetPlace(apps)).toEqual(place);
});

test('the README has the app in Python as the first screen has it', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, block = ''] = /```python\n([\s\S]*?)\n\s*```/.exec(readme) ?? [];
  const facts = { port: 8080, discovery: '/sidecar/subscribe', pubsub: 'pubsub' };
  expect(`${block.replaceAll(/^ {3}/gm, '')}\n`).toBe(fillSnippet(textOf('python'), facts));
});

test('a name that would end a literal does not get into the text', () => {
  const facts = { port: 1, discovery: '/d', pubsub: '"); evil("' };
  expect(fillSnippet(textOf('node'), facts)).not.toContain('evil');
});

for (const [id, program, file] of RUNNERS) {
  const isThere = spawnSync(program, ['--version']).status === 0;
  test.skipIf(!isThere)(
    `${id} answers discovery and deliveries`,
    async () => {
      const port = await freePort();
      folder = mkdtempSync(join(tmpdir(), 'sidelight-snippet-'));
      const discovery = '/sidecar/subscribe';
      writeFileSync(join(folder, file), fillSnippet(textOf(id), { port, discovery, pubsub: 'shop' }));
      child = spawn(program, [join(folder, file)], { stdio: 'ignore' });
      const at = `http://127.0.0.1:${port}`;
      const found = await vi.waitFor(
        async () => {
          const answer: unknown = await (await fetch(at + discovery)).json();
          return answer;
        },
        { timeout: 15_000, interval: 100 },
      );
      expect(found).toEqual([{ pubsubname: 'shop', topic: 'orders', route: '/orders' }]);
      const headers = { 'content-type': 'application/cloudevents+json' };
      const body = '{"specversion":"1.0","id":"1","source":"a","type":"b","data":{"orderId":1}}';
      const delivered = await fetch(`${at}/orders`, { method: 'POST', headers, body });
      expect(await delivered.json()).toEqual({ status: 'SUCCESS' });
    },
    30_000,
  );
}
