/** `sidelight test`: whole runs of scenario files on instances of their own, and what is printed and left. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MAX_SCENARIO_BYTES } from '../../core/contract/scenario.ts';
import { UsageError } from '../../core/domain/usage-error.ts';
import { testCommand } from '../../core/host/test-command.ts';
import type { FileResult } from '../../core/scenario/report.ts';
import { FAILS, folderOfFiles } from './scenario-folder.ts';

const LIMIT_MS = 60_000;

test(
  '--keep leaves the history of a failed file, and --out has the report while stdout has the text',
  async () => {
    const { folder, file, run } = folderOfFiles();
    const answers = FAILS.replace('status: 404', "status: 404, body: { error: 'ledger locked' }");
    const [fails, out] = [file('fails', answers), join(folder, 'report.xml')];
    const { status, out: said } = await run([fails, '--keep', '--reporter', 'junit', '--out', out]);
    expect(status).toBe(1);
    const kept = /open it: sidelight --data-dir (\S+)/.exec(said)?.[1] ?? '';
    onTestFinished(() => rmSync(kept, { recursive: true, force: true }));
    expect(existsSync(join(kept, 'running.json'))).toBe(false);
    expect(existsSync(kept)).toBe(true);
    const why = '(dropped by single.404)\n                    answer: {"error":"ledger locked"}\n';
    expect(said).toContain(why);
    // In XML with the quotes and line ends written as entities, and less far to the right.
    const inXml = why.replace(/ {14}/, '').replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
    expect(readFileSync(out, 'utf8')).toContain(inXml);
  },
  LIMIT_MS,
);

test(
  'a failed file names the command as it was started',
  async () => {
    const path = folderOfFiles().file('fails', FAILS);
    let said = '';
    const out = (text: string): void => void (said += text);
    const { signal } = new AbortController();
    await testCommand([path], { out, env: process.env, startedAs: 'npm start --', signal });
    expect(said).toContain(`open it: npm start -- test --keep ${path}`);
  },
  LIMIT_MS,
);

test(
  'an app that cannot be started fails its file, whatever the steps say',
  async () => {
    const { file, run } = folderOfFiles();
    const { status, out } = await run([
      file('no-program', 'app: { run: [no-such-program] }\nsteps:\n  - never: topic:x\n    for: 300ms'),
    ]);
    expect(status).toBe(1);
    expect(out).toContain('the app could not be started');
  },
  LIMIT_MS,
);

test(
  'an app that fails before it listens ends the wait for it, with what it printed',
  async () => {
    const { file, run } = folderOfFiles();
    const path = file(
      'ends',
      `app: { run: [node, -e, "console.log('no luck'); process.exit(3)"] }
steps:
  - publish: { topic: orders, data: 1 }
  - expect: topic:orders
    state: processed
    within: 30m`,
    );
    const { status, out } = await run([path]);
    expect(status).toBe(1);
    expect(out).toContain('it can no longer come');
    expect(out).toContain('the app ended with 3\n       no luck');
  },
  LIMIT_MS,
);

test(
  'a failed file has what its app printed last and answered, and a passed one does not',
  async () => {
    const { file, run } = folderOfFiles();
    const path = file(
      'locked',
      `app:
  run:
    - node
    - -e
    - |
      console.log('up');
      require('node:http').createServer((request, response) => {
        response.setHeader('content-type', 'application/json');
        if (request.method === 'GET')
          return response.end(JSON.stringify([{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }]));
        console.error('cannot write');
        response.statusCode = 500;
        response.end(JSON.stringify({ error: 'ledger locked' }));
      }).listen(process.env.APP_PORT, '127.0.0.1');
settings: { delivery.retry: { maxAttempts: 1 } }
steps:
  - publish: { topic: orders, data: 1 }
  - expect: topic:orders
    state: processed
    within: 30s
`,
    );
    const parked = file('parked', readFileSync(path, 'utf8').replace('state: processed', 'state: parked'));
    const { status, out } = await run(['--reporter', 'json', parked, path]);
    expect(status).toBe(1);
    const { files }: { files: readonly FileResult[] } = JSON.parse(out);
    const [passed, failed] = files;
    expect(passed).not.toHaveProperty('output');
    expect(failed?.output).toEqual([{ appId: 'app', lines: ['up', 'cannot write'] }]);
    expect(failed?.steps[1]?.story).toContain('      answer: {"error":"ledger locked"}');
  },
  LIMIT_MS,
);

test(
  'an app that runs and does not listen is told its port, and the variable that has it',
  async () => {
    const { file, run } = folderOfFiles();
    const path = file(
      'silent',
      'app: { run: [node, -e, "setInterval(() => 0, 1000)"] }\nsteps:\n  - publish: { topic: orders, data: 1 }\n  - expect: topic:orders\n    state: processed\n    within: 1ms',
    );
    const { status, out } = await run([path]);
    expect(status).toBe(1);
    expect(out).toMatch(
      /the app runs, but does not listen on port \d+ of 127\.0\.0\.1, which it gets in APP_PORT\n/,
    );
  },
  LIMIT_MS,
);

test(
  'a file whose folder cannot be made fails with the reason, and the others run',
  async () => {
    const { folder, file, run } = folderOfFiles();
    const paths = [
      file('restarts', 'steps:\n  - restart: kill\n'),
      file('never', 'steps:\n  - never: topic:x\n    for: 1ms\n'),
    ];
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, join(folder, 'nowhere'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const { status, out } = await run(paths);
    expect(status).toBe(1);
    expect(out).toContain('it could not be run: ENOENT');
    expect(out).toContain('2 files: 1 passed, 1 failed');
  },
  LIMIT_MS,
);

test(
  'instances of scenario files are not listed as running ones, and leave no folder in the data of the user',
  async () => {
    const { folder, file, run } = folderOfFiles();
    const env = { ...process.env, XDG_DATA_HOME: join(folder, 'data'), LOCALAPPDATA: join(folder, 'data') };
    const { status } = await run(
      [file('publishes', 'steps:\n  - publish: { topic: orders, data: 1 }\n')],
      undefined,
      env,
    );
    expect(status).toBe(0);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  },
  LIMIT_MS,
);

test(
  'an interrupted run ends with 130, and nothing keeps running',
  async () => {
    const { file, run } = folderOfFiles();
    const interrupted = new AbortController();
    const path = file('waits', 'steps:\n  - never: topic:x\n    for: 5m\n');
    const running = run([path], interrupted.signal);
    interrupted.abort();
    expect(await running).toEqual({ status: 130, out: '' });
  },
  LIMIT_MS,
);

test('a bad file, no file and a bad flag are bad usage, and nothing is run', async () => {
  const { folder, file, run } = folderOfFiles();
  const [good, bad] = [file('good', FAILS), file('bad', 'steps:\n  - publsh: {}\n')];
  const failing = run([good, bad]);
  await expect(failing).rejects.toBeInstanceOf(UsageError);
  await expect(failing).rejects.toThrow(`${bad}:2:5: steps[0].publsh is not a step`);
  const folders = file(
    'folders',
    'resources: ./nowhere\nsettings: { delivery.retri: {} }\nsteps: [{ settle: }]',
  );
  await expect(run([folders])).rejects.toThrow(
    `${folders}:1:12: resources must be a folder that exists, from the folder of this file, got "./nowhere"\n${folders}:2:13: settings.delivery.retri`,
  );
  mkdirSync(join(folder, 'folder.scenario.yaml'));
  await expect(run([folder])).rejects.toThrow('folder.scenario.yaml: it cannot be read: it is not a file');
  const empty = mkdtempSync(join(folder, 'empty-'));
  await expect(run([empty])).rejects.toThrow('no *.scenario.yaml below');
  await expect(run([join(folder, 'missing')])).rejects.toThrow('there is no file or folder');
  await expect(run([])).rejects.toThrow('test needs a scenario file or a folder');
  await expect(run([good, '--reporter', 'tap'])).rejects.toThrow(
    '--reporter must be spec, json or junit, got "tap"',
  );
  for (const out of [folder, join(folder, 'nowhere', 'report.xml'), ''])
    await expect(run([good, `--out=${out}`])).rejects.toThrow(
      `--out must be a file in a folder that exists, got "${out}"`,
    );
  await expect(run([good, '--kep'])).rejects.toThrow('unknown flag --kep, did you mean --keep?');
  expect((await run(['--help'])).out).toContain('--reporter spec|json|junit');
});

test('a scenario above the size limit is not read, and neither is a pipe or folder', async () => {
  const { folder, file, run } = folderOfFiles();
  const large = file('large', 'steps: []\n');
  truncateSync(large, MAX_SCENARIO_BYTES + 1);
  await expect(run([large])).rejects.toThrow(`${large}: it cannot be read: the file is larger than 32 MiB`);
  if (process.platform === 'win32') return;
  const pipe = join(folder, 'pipe.scenario.yaml');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  for (const path of [pipe, '/dev/zero'])
    await expect(run([path])).rejects.toThrow(`${path}: it cannot be read: it is not a file`);
});

test.each([
  ['brackets', '['.repeat(500_000)],
  ['mappings', '{a: '.repeat(500_000)],
  ['members', '{"a":'.repeat(500)],
])('a scenario file with too many levels of %s is refused within a second', async (_what, deep) => {
  const { file, run } = folderOfFiles();
  const path = file(
    'deep',
    `steps:\n  - publish: { topic: orders, data: 1 }\n  - publish:\n      data: ${deep}`,
  );
  const before = performance.now();
  await expect(run([path])).rejects.toThrow(
    `${path}:4: YAML: the file has more than 500 nested levels of lists and mappings, so Sidelight does not read it.`,
  );
  expect(performance.now() - before).toBeLessThan(1000);
});

test('a scenario just below the limit of levels is read', async () => {
  const { file, run } = folderOfFiles();
  const data = '{"a":'.repeat(490) + '1' + '}'.repeat(490);
  const path = file(
    'deep',
    `steps:\n  - publish:\n      topic: orders\n      data: ${data}\n  - publsh: {}\n`,
  );
  // Everything but the mistake was read.
  await expect(run([path])).rejects.toThrow(`${path}:5:5: steps[1].publsh is not a step`);
});
