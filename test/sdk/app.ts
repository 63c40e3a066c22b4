/** An app of the suite as a process: its lines, and its commands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Command, Way } from './languages.ts';
import type { Sidecar } from './sidecars.ts';

const END_MS = 5_000;

/** One line that an app says; README.md of this folder has the list. */
export interface Said {
  readonly got?: string;
  readonly n?: number;
  readonly published?: number;
  readonly bulk?: readonly number[];
  readonly failed?: string;
  readonly error?: string;
  readonly absent?: string;
}

export interface RunningApp {
  /** Everything it said so far. */
  readonly said: readonly Said[];
  /** Resolves when `isEnough` holds or the time is over; false then, and when the app ended. */
  until(isEnough: (said: readonly Said[]) => boolean, limitMs: number): Promise<boolean>;
  publish(): void;
  /** The last of what it wrote to stderr. */
  complaints(): string;
  stop(): Promise<void>;
}

export interface AppStart {
  readonly command: Command;
  readonly folder: string;
  readonly way: Way;
  readonly appPort: number;
  readonly sidecar: Sidecar;
  readonly isVerbose: boolean;
}

/** Starts the app with the environment that a sidecar's starter gives, and nothing of the kind that was inherited. */
export function startApp(start: AppStart): RunningApp {
  const [program, ...args] = start.command;
  const child = spawn(program, args, { cwd: start.folder, env: environment(start), stdio: 'pipe' });
  const cut = (): void => void child.kill();
  process.once('exit', cut);
  let isOver = false;
  let complaints = '';
  const said: Said[] = [];
  let look = (): void => undefined;
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')]).then(() => {
    isOver = true;
    process.off('exit', cut);
    look();
  });
  child.on('error', (error) => (complaints += String(error)));
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk.toString()}`.slice(-4_000);
    if (start.isVerbose) process.stderr.write(chunk);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    // SDKs and frameworks write lines of their own.
    if (line.startsWith('{')) said.push(JSON.parse(line) as Said);
    else if (start.isVerbose) process.stderr.write(`${line}\n`);
    look();
  });
  return {
    said,
    complaints: () => complaints,
    publish: () => void child.stdin.write('publish\n'),
    async until(isEnough, limitMs) {
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          look = () => undefined;
          resolve(isEnough(said));
        };
        const timer = setTimeout(end, limitMs);
        look = () => {
          if (isOver || isEnough(said)) end();
        };
        look();
      });
    },
    async stop() {
      child.stdin.end();
      const kill = setTimeout(() => child.kill('SIGKILL'), END_MS);
      await ended;
      clearTimeout(kill);
    },
  };
}

function environment({ way, appPort, sidecar }: AppStart): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(DAPR|SIDECAR|APP)_/u.test(name));
  return {
    ...Object.fromEntries(inherited),
    SDK_MODE: way,
    APP_PORT: String(appPort),
    DAPR_HTTP_PORT: sidecar.http,
    DAPR_GRPC_PORT: sidecar.grpc,
  };
}
