/**
 * The package as `npm pack` makes it, in a fresh folder: the files of docs/testing.md are run with it, and go red when the app is broken.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, runIn, sidelightIn, writeBrokenApp, writeFilesOfPage } from '../support/testing-page.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const LIMIT_MS = 120_000;

let folder: string;
let files: ReadonlyMap<string, string>;

const run = (program: string, args: readonly string[], cwd = folder): Promise<Ended> =>
  runIn(cwd, program, args);

/** Puts the tarball where `npm i` puts it; what it depends on is linked from this clone, so that nothing is fetched. */
async function install(): Promise<void> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const packed = await run(npm, ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT);
  if (packed.status !== 0) throw new Error(packed.said);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, 'sidelight'), { recursive: true });
  const untarred = await run('tar', [
    '-xzf',
    tarball,
    '-C',
    'node_modules/sidelight',
    '--strip-components=1',
  ]);
  if (untarred.status !== 0) throw new Error(untarred.said);
  const { dependencies }: { dependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(path.join(modules, 'sidelight', 'package.json'), 'utf8'),
  );
  for (const name of [...Object.keys(dependencies), '@types']) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name), 'junction');
  }
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sidelight-packed-'));
  await install();
  files = writeFilesOfPage(folder);
}, LIMIT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }), LIMIT_MS);

test('the page shows an app, a scenario and a test', () => {
  expect([...files.keys()]).toEqual(['app.mjs', 'orders.scenario.yaml', 'orders.test.mjs']);
});

test(
  'the packed command passes, and writes its report',
  async () => {
    const args = ['test', 'orders.scenario.yaml', '--reporter', 'junit', '--out', 'report.xml'];
    expect(await sidelightIn(folder, ...args)).toEqual({
      status: 0,
      said: 'ok   orders are processed at the first attempt (orders.scenario.yaml)\n1 file: 1 passed, 0 failed\n',
    });
    expect(readFileSync(path.join(folder, 'report.xml'), 'utf8')).toContain('tests="2" failures="0"');
  },
  LIMIT_MS,
);

test(
  'the packed command fails with a broken app, and the story names the cause',
  async () => {
    const { status, said } = await sidelightIn(folder, 'test', writeBrokenApp(folder, files));
    expect(status).toBe(1);
    expect(said).toContain(
      'attempt 1: The app answered 200 DROP: it asked to drop the message. A warning was logged. (dropped by single.2xx.drop)',
    );
  },
  LIMIT_MS,
);

test(
  'the packed command gives an agent its tools',
  async () => {
    const program = path.join(folder, 'node_modules', 'sidelight', 'bin', 'sidelight.mjs');
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      XDG_DATA_HOME: folder,
      LOCALAPPDATA: folder,
    };
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('explain_message');
    await client.close();
  },
  LIMIT_MS,
);

test(
  'the packed library passes with node:test',
  async () => {
    const { status, said } = await run(process.execPath, ['--test', 'orders.test.mjs']);
    expect(said).toMatch(/pass 1\b/);
    expect(status).toBe(0);
  },
  LIMIT_MS,
);

test(
  'the packed library has its types',
  async () => {
    const good = `import { startSidelight } from 'sidelight/testing';
const sidelight = await startSidelight({ settings: {} });
const rows = await sidelight.expect('topic:orders').toReach('processed', { attempts: 3 });
export const ids: readonly string[] = rows.map(({ messageId }) => messageId);
export const total: number = (await sidelight.rpc('messages.list', { filter: '' })).total;
`;
    writeFileSync(path.join(folder, 'good.mts'), good);
    writeFileSync(path.join(folder, 'wrong.mts'), good.replace("'processed'", "'procesed'"));
    const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    // Both at once: what they import is read once.
    const { said } = await run(process.execPath, [tsc, ...flags, 'good.mts', 'wrong.mts']);
    expect(said).toMatch(/^wrong\.mts\(3,.*"procesed"/);
    expect(said.match(/^\S+\.m?ts\(\d+,/gm)).toHaveLength(1);
  },
  LIMIT_MS,
);
