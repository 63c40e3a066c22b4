/**
 * Each command of "Test your app in CI in five minutes", as the page has it: from a clone to a green run, and red with the cause when the
 * app is broken.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const PAGE = readFileSync(path.join(ROOT, 'docs', 'testing.md'), 'utf8');
/** Errors of npm if no registry answers and its cache is incomplete. */
const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|ECONNRESET/;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sidelight-minutes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly status: number;
  readonly said: string;
}

/** A line as it stands on the page, in a shell. No binary of a desktop window is fetched. */
function line(text: string, cwd: string): Promise<Ended> {
  const env = { ...process.env, ELECTRON_SKIP_BINARY_DOWNLOAD: '1' };
  return new Promise((resolve) => {
    execFile('sh', ['-c', text], { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ status, said: `${stdout}${stderr}` });
    });
  });
}

/** The test of the page in each of the three runners that it names, with the commands that it gives. */
async function runnersOfTests(app: string): Promise<void> {
  const file = path.join(app, 'orders.test.mjs');
  const source = readFileSync(file, 'utf8');
  const [, ofVitest = ''] = /^\| Vitest \| `([^`]+)`/m.exec(PAGE) ?? [];
  const first = "import test from 'node:test';\n";
  expect(source).toContain(first);
  expect(await line('npm i -D vitest jest', app)).toMatchObject({ status: 0 });
  for (const [begins, command, passed] of [
    [first, /`(node --test)`/, /pass 1\b/],
    [`${ofVitest}\n`, /`(npx vitest run)`/, /1 passed/],
    ['', /`(NODE_OPTIONS=\S+ npx jest [^`]+)`/, /1 passed/],
  ] as const) {
    writeFileSync(file, source.replace(first, begins));
    const [, asked = ''] = command.exec(PAGE) ?? [];
    expect(await line(asked, app)).toMatchObject({ status: 0, said: expect.stringMatching(passed) });
  }
}

test.skipIf(process.platform === 'win32')(
  'the page leads from an empty folder to a passing run, which fails with a broken app',
  async ({ skip }) => {
    const [section = ''] = PAGE.split('## The library');
    const blocks = [...section.matchAll(/^```sh\n(.*)\n```/gm)].map(([, command = '']) => command);
    const [packs = '', installs = '', tests = ''] = blocks;
    expect(blocks.map((command) => command.split(' ').slice(0, 2).join(' '))).toEqual([
      'npm ci',
      'npm i',
      'npx sidelight',
    ]);

    const clone = await line(`git clone --quiet --no-hardlinks "${ROOT}" sidelight`, folder);
    expect(clone).toMatchObject({ status: 0 });
    const packed = await line(packs, path.join(folder, 'sidelight'));
    skip(
      packed.status !== 0 && NO_REGISTRY.test(packed.said),
      `npm has no registry: ${packed.said.slice(-300)}`,
    );
    expect(packed).toMatchObject({ status: 0 });

    const app = path.join(folder, 'app');
    mkdirSync(app);
    for (const [, name = '', text = ''] of PAGE.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```\n/g))
      writeFileSync(path.join(app, name), text);
    expect(await line(installs, app)).toMatchObject({ status: 0 });
    const good = await line(tests, app);
    expect(good).toMatchObject({ status: 0, said: expect.stringContaining('1 passed, 0 failed') });
    expect(readFileSync(path.join(app, 'report.xml'), 'utf8')).toContain('failures="0"');

    const source = readFileSync(path.join(app, 'app.mjs'), 'utf8');
    writeFileSync(path.join(app, 'app.mjs'), source.replace("'SUCCESS'", "'DROP'"));
    const bad = await line(tests, app);
    expect(bad).toMatchObject({ status: 1, said: expect.stringContaining('single.2xx.drop') });

    await runnersOfTests(app);
  },
);
