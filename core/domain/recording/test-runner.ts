/** The part of a generated test that is the same in every one: starts the product, publishes, waits, looks. TypeScript text. */

export const RUNNER = `interface Delivery {
  readonly appId: string;
  readonly route: { readonly path: string };
  readonly state: string;
  readonly attempts: readonly unknown[];
}

const LONGEST_MS = 30_000;

/** Words that start Sidelight; another build or version: SIDELIGHT="node path/to/sidelight.mjs". No shell is asked to read them. */
function command(): readonly string[] {
  const given = process.env['SIDELIGHT'];
  if (given !== undefined) return given.split(' ');
  if (process.platform !== 'win32') return ['sidelight'];
  // What npm installs there is a batch file, which only a shell can run: the program behind it is started instead.
  const places = (process.env['PATH'] ?? '')
    .split(';')
    .flatMap((folder) => [join(folder, 'node_modules', 'sidelight'), join(folder, '..', 'sidelight')])
    .map((folder) => join(folder, 'bin', 'sidelight.mjs'));
  const program = places.find((file) => existsSync(file));
  if (program === undefined) throw new Error('Sidelight is not on the PATH; SIDELIGHT="node path/to/sidelight.mjs" names it.');
  return [process.execPath, program];
}

class Sidelight {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #rpc: string;
  readonly #token: string;
  readonly #exit: Promise<unknown>;

  private constructor(child: ChildProcess, folder: string, ready: { rpc: string; token: string }, exit: Promise<unknown>) {
    this.#child = child;
    this.#folder = folder;
    this.#rpc = ready.rpc;
    this.#token = ready.token;
    this.#exit = exit;
  }

  static async start(): Promise<Sidelight> {
    const folder = await mkdtemp(join(tmpdir(), 'sidelight-test-'));
    await mkdir(join(folder, 'resources'));
    await writeFile(join(folder, 'settings.json'), JSON.stringify(SETTINGS));
    for (const [index, name] of PUBSUBS.entries()) {
      const component = {
        apiVersion: \`\${PROFILE}.io/v1alpha1\`,
        kind: 'Component',
        metadata: { name },
        spec: { type: 'pubsub.in-memory', version: 'v1', metadata: [] },
      };
      await writeFile(join(folder, 'resources', \`pubsub-\${index + 1}.yaml\`), JSON.stringify(component));
    }
    const [first = 'app', ...others] = APPS;
    const flags = ['--headless', '--ephemeral', '--log-level', 'error', '--profile', PROFILE];
    flags.push('--sidecar-port', '0', '--app-port', '0', '--console-port', '0', \`--app-id=\${first}\`);
    for (const other of others) flags.push(\`--app=\${other}=mock,0\`);
    flags.push('--config', join(folder, 'settings.json'), '--resources', join(folder, 'resources'));
    const [program = 'sidelight', ...words] = command();
    const child = spawn(program, [...words, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exit = new Promise<unknown>((resolve) => {
      child.once('exit', resolve);
      child.once('error', resolve);
    });
    const ready = await Promise.race([firstLine(child), exit]);
    if (typeof ready !== 'string') throw new Error(\`Sidelight did not start: \${String(ready)}\`);
    const sidelight = new Sidelight(child, folder, JSON.parse(ready), exit);
    for (const [appId, subscriptions] of Object.entries(SUBSCRIPTIONS))
      await sidelight.call('mockApp.setSubscriptions', { appId, subscriptions });
    return sidelight;
  }

  async call(method: string, params: object): Promise<any> {
    const response = await fetch(this.#rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: \`Bearer \${this.#token}\` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(\`\${method}: \${error.message}\`);
    return result;
  }

  /** Publishes one message and waits until nothing more happens to it. */
  async run(testCase: Case): Promise<readonly Expected[]> {
    for (const appId of APPS) {
      const rules = Object.hasOwn(testCase.answers, appId) ? testCase.answers[appId] : [];
      await this.call('mockApp.setRules', { appId, rules });
    }
    let { sequence } = await this.call('events.since', { sequence: Number.MAX_SAFE_INTEGER });
    const { messageId } = await this.call('messages.publish', testCase.publish);
    const until = Date.now() + LONGEST_MS;
    for (;;) {
      const { deliveries, stage } = (await this.call('messages.get', { messageId })) as {
        deliveries: readonly Delivery[];
        stage?: string;
      };
      const found = deliveries.map(({ appId, route, state, attempts }) => ({
        appId,
        route: route.path,
        state,
        attempts: attempts.length,
      }));
      const isOver = stage === undefined && found.every(({ state }) => ENDED.includes(state));
      if (isOver && found.length >= testCase.expected.length) return found;
      if (Date.now() > until) throw new Error(\`it is not over after \${LONGEST_MS} ms: \${JSON.stringify(found)}\`);
      ({ sequence } = await this.call('events.since', { sequence, waitMs: 1000 }));
    }
  }

  async stop(): Promise<void> {
    this.#child.kill();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await this.#exit;
    clearTimeout(timer);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const ENDED = ['processed', 'dropped', 'expired', 'dead-lettered', 'parked'];

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (stdout === null) reject(new Error('no output'));
    else createInterface({ input: stdout }).once('line', resolve);
  });
}

const inOrder = (found: readonly Expected[]): readonly Expected[] =>
  [...found].sort((a, b) => \`\${a.appId} \${a.route}\`.localeCompare(\`\${b.appId} \${b.route}\`));
`;

export const IMPORTS = `import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
`;

export const TYPES = `interface Expected {
  readonly appId: string;
  readonly route: string;
  readonly state: string;
  readonly attempts: number;
}

interface Case {
  readonly title: string;
  readonly publish: object;
  readonly answers: Readonly<Record<string, readonly object[]>>;
  readonly expected: readonly Expected[];
}
`;
