/** A tap between the suite and a sidecar that is not ours: `sidelight tap`, known by its command line alone. */
import { spawn } from 'node:child_process';
import { ENTRY, READY_MS, endIn, lastLines, live, readyLine } from './driver.ts';
import { objectOf } from './suite/checks.ts';
import { within } from './suite/context.ts';
import { APP_ID } from './suite/files.ts';

export interface StartedTap {
  /** Port of the app as given to the sidecar. */
  readonly appPort: number;
  /** Address of the sidecar as given to the suite, and that of its gRPC API. */
  readonly url: string;
  readonly grpc: string;
  readonly lastWords: () => string;
  stop(): Promise<void>;
}

export interface TapStart {
  readonly appUrl: string;
  /** Ports of the sidecar, which need not be open yet. */
  readonly sidecarPort: number;
  readonly grpcPort: number;
  /** Environment beside our own, the sidecar's token for example. */
  readonly env: Readonly<Record<string, string>>;
  /** Script that Node runs; default: the product's source. */
  readonly entry?: string;
}

/** Starts it and waits for its ready line. Rejects with what it wrote when none comes. */
export async function startTap({ appUrl, sidecarPort, grpcPort, env, entry }: TapStart): Promise<StartedTap> {
  const args = [
    ...['tap', '--headless', '--ephemeral', '--console-port', '0', '--app-id', APP_ID, '--app-url', appUrl],
    ...['--sidecar-url', `http://127.0.0.1:${sidecarPort}`, '--sidecar-grpc', `127.0.0.1:${grpcPort}`],
    ...['--tap-app-port', '0', '--tap-sidecar-port', '0', '--tap-grpc-port', '0'],
  ];
  const child = spawn(process.execPath, [entry ?? ENTRY, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  live.set(child, undefined);
  const ended = new Promise<number>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128))),
  );
  const log = lastLines(child);
  const stop = async (): Promise<void> => {
    await endIn(child, ended);
    live.delete(child);
  };
  try {
    const ready = await within(readyLine(child, ended), 'the ready line of the tap', READY_MS);
    const [tap] = Array.isArray(ready['taps']) ? ready['taps'].map(objectOf) : [];
    return {
      appPort: Number(tap?.['appPort']),
      url: `http://127.0.0.1:${Number(tap?.['sidecarPort'])}`,
      grpc: `127.0.0.1:${Number(tap?.['grpcPort'])}`,
      lastWords: log,
      stop,
    };
  } catch (error) {
    await stop();
    throw new Error(`the tap did not start. It said:\n${log()}`, { cause: error });
  }
}
