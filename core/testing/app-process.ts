/** The app of a scenario as a process beside its sidecar, with all processes that it starts. */
import { theApp } from '../contract/app-text.ts';
import type { Clock } from '../ports/clock.ts';
import { SecretValues } from '../domain/secret-values.ts';
import { pollUntil } from '../ports/poll-until.ts';
import type { AppOutput } from '../scenario/report.ts';
import { LastLines } from './last-lines.ts';
import { outputLine, secretsOfEnvironment } from './output-line.ts';

/** Longest time that the processes may take to end before they are killed. */
const GRACE_MS = 5_000;
const POLL_INTERVAL_MS = 25;
/** Number of last output lines that a failure repeats. */
const LINES_TOLD = 20;

/** A program that was started in a group of its own. */
export interface StartedProgram {
  /** Resolves when the program has ended and its output is read. Never rejects. */
  readonly ended: Promise<
    | { readonly kind: 'exited'; readonly code: number; readonly signal?: string }
    | { readonly kind: 'not started'; readonly reason: string }
  >;
  /** Resolves when everything that the program has written so far is read. Never rejects. */
  outputSoFar(): Promise<void>;
  /** Sends a signal to the program and all that it started. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Whether the program, or one that it started, is alive. */
  lives(): boolean;
}

/** Starts a program. It never throws: a program that cannot be started has ended. */
export type StartProgram = (program: {
  readonly command: readonly string[];
  /** Absolute folder of the program. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}) => StartedProgram;

export interface AppCommand {
  readonly appId: string;
  /** Program and arguments; `{appPort}` stands for the port. */
  readonly run: readonly string[];
  readonly port: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface AppProcessPorts {
  readonly startProgram: StartProgram;
  readonly clock: Clock;
}

export class AppProcess {
  readonly appId: string;
  /** Resolves when the app has ended: true if it failed, and nothing that it started is left. Never rejects. */
  readonly failed: Promise<boolean>;
  readonly #port: number;
  readonly #clock: Clock;
  readonly #program: StartedProgram;
  readonly #secrets: SecretValues;
  readonly #said = new LastLines(LINES_TOLD);
  #end: string | undefined;
  #hasStarted = true;

  constructor({ appId, run, port, cwd, env }: AppCommand, { startProgram, clock }: AppProcessPorts) {
    this.appId = appId;
    this.#port = port;
    this.#clock = clock;
    this.#secrets = new SecretValues(secretsOfEnvironment(env));
    const command = run.map((word) => word.replaceAll('{appPort}', String(port)));
    this.#program = startProgram({ command, folder: cwd, env, onLine: this.#said.add });
    this.failed = this.#program.ended.then((ending) => {
      this.#hasStarted = ending.kind === 'exited';
      this.#end =
        ending.kind === 'exited'
          ? `ended with ${ending.signal ?? ending.code}`
          : `could not be started: ${ending.reason}`;
      return (ending.kind !== 'exited' || ending.code !== 0) && !this.#program.lives();
    });
  }

  /** Whether the program was started. False: it does not exist, or is not executable. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Why the app has ended, with its last lines; undefined: it runs. */
  get trouble(): string | undefined {
    if (this.#end === undefined) return undefined;
    return [`${theApp(this.appId)} ${this.#end}`, ...this.#lastLines()].join('\n');
  }

  /** What the app printed last; undefined: nothing, or the trouble of its end has it. */
  async output(): Promise<AppOutput | undefined> {
    await this.#program.outputSoFar();
    const lines = this.#lastLines();
    return this.#end !== undefined || lines.length === 0 ? undefined : { appId: this.appId, lines };
  }

  #lastLines(): readonly string[] {
    return this.#said.all.map((line) => outputLine(line, this.#secrets)).filter((line) => line !== '');
  }

  /** What to do where the app runs, and its sidecar has never reached it. */
  get unheard(): string {
    return `${theApp(this.appId)} runs, but does not listen on port ${this.#port} of 127.0.0.1, which it gets in APP_PORT`;
  }

  /** Ends the program and all that it started. */
  async stop(): Promise<void> {
    const program = this.#program;
    if (program.lives()) program.signal('SIGTERM');
    const how = { everyMs: POLL_INTERVAL_MS, limitMs: GRACE_MS };
    if (!(await pollUntil(this.#clock, how, () => !program.lives()))) program.signal('SIGKILL');
    await program.ended;
  }
}
