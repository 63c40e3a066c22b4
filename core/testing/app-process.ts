/** The app of a scenario as a process beside its sidecar. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { theApp } from '../contract/app-text.ts';
import { LastLines } from './last-lines.ts';

const END_MS = 5_000;
/** Number of last output lines that a failure repeats. */
const LINES_TOLD = 20;

const living = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

export interface AppCommand {
  readonly appId: string;
  /** Program and arguments; `{appPort}` stands for the port. */
  readonly run: readonly string[];
  readonly port: number;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export class AppProcess {
  readonly #appId: string;
  readonly #child: ChildProcess;
  readonly #said = new LastLines(LINES_TOLD);
  readonly #over: Promise<void>;
  #end: string | undefined;
  #hasStarted = true;

  constructor({ appId, run, port, cwd, env }: AppCommand) {
    this.#appId = appId;
    const [program = '', ...args] = run.map((word) => word.replaceAll('{appPort}', String(port)));
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    living.add(child);
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', this.#said.add);
    this.#over = new Promise((resolve) => {
      const ended = (how: string): void => {
        living.delete(child);
        this.#end ??= how;
        resolve();
      };
      child.once('error', (error) => {
        this.#hasStarted = child.pid !== undefined;
        ended(`could not be started: ${error.message}`);
      });
      child.once('close', (code, signal) => ended(`ended with ${code ?? signal ?? 'no status'}`));
    });
  }

  /** Whether the program was started. False: it does not exist, or is not executable. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Why the app has ended, with its last lines; undefined: it runs. */
  get trouble(): string | undefined {
    if (this.#end === undefined) return undefined;
    return [`${theApp(this.#appId)} ${this.#end}`, ...this.#said.all].join('\n');
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), END_MS);
    await this.#over;
    clearTimeout(late);
  }
}
