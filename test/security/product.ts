/** The product in a process of its own for the security tests: raw requests on its ports, and everything it shows. */
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { EXPORT_FORMATS } from '../../core/contract/words.ts';
import { startProduct } from '../faults/kill-product.ts';
import type { Running } from '../faults/kill-product.ts';

/** Methods without parameters that show what the product has. */
const SHOWING = [
  ...['system.describe', 'components.list', 'subscriptions.list', 'topics.list', 'apps.list', 'health.get'],
  ...['settings.get', 'mockApp.get', 'eventRouter.status', 'requests.list', 'jobs.list', 'metrics.get'],
];

export class ProductStand {
  #folder = '';
  #running: Running | undefined;

  /** Registers its hooks with the test file, once. */
  constructor(
    flags: (folder: string) => readonly string[] | Promise<readonly string[]> = () => [],
    env: NodeJS.ProcessEnv = {},
  ) {
    beforeAll(async () => {
      this.#folder = await mkdtemp(join(tmpdir(), 'sidelight-security-'));
      const given = await flags(this.#folder);
      this.#running = await startProduct(
        join(this.#folder, 'data'),
        undefined,
        ['--log-level', 'debug', ...given],
        env,
      );
    }, 90_000);
    afterAll(async () => {
      await this.#running?.kill();
      await rm(this.#folder, { recursive: true, force: true });
    });
  }

  get running(): Running {
    if (this.#running === undefined) throw new Error('the product was not started');
    return this.#running;
  }

  get folder(): string {
    return this.#folder;
  }

  get consolePort(): number {
    return Number(new URL(this.running.console).port);
  }

  get sidecarPort(): number {
    return Number(new URL(this.running.sidecar).port);
  }

  /** Sends bytes as they are, and gives all that comes back until the connection ends. */
  raw(port: number, text: string, host = '127.0.0.1'): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ port, host });
      let answer = '';
      socket.setEncoding('latin1');
      socket.on('data', (part) => (answer += String(part)));
      socket.on('error', reject);
      socket.on('close', () => resolve(answer));
      socket.setTimeout(10_000, () => socket.destroy(new Error(`no end after:\n${answer}`)));
      socket.write(text);
    });
  }

  /** A request to the console with these header lines, its connection closed by the answer. */
  console(first: string, headers: readonly string[], body = ''): Promise<string> {
    const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
    const lines = [first, ...headers, ...length, 'Connection: close', '', body];
    return this.raw(this.consolePort, lines.join('\r\n'));
  }

  /** An export of the live history as text, or of what the filter finds there. */
  async exported(format = 'recording', filter = ''): Promise<string> {
    const { jobId } = (await this.running.call('recordings.export', { format, filter })) as { jobId: string };
    let text = '';
    for (let part = 1; ; part += 1) {
      const piece = (await this.running.call('recordings.read', { jobId, part })) as {
        text: string;
        isLast: boolean;
      };
      text += piece.text;
      if (piece.isLast) return text;
    }
  }

  /** Everything a person or a script is shown: lists, details, logs, settings, components, exports, stderr. */
  async shown(): Promise<string> {
    const { running } = this;
    const parts: unknown[] = [];
    for (const method of SHOWING) parts.push(await running.call(method, {}));
    parts.push(await running.call('logs.list', { limit: 500 }));
    const { items } = (await running.call('messages.list', { limit: 500 })) as {
      items: readonly { messageId: string }[];
    };
    parts.push(items);
    for (const { messageId } of items) parts.push(await running.call('messages.get', { messageId }));
    for (const format of EXPORT_FORMATS) parts.push(await this.exported(format));
    return JSON.stringify([parts, running.lines]);
  }
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? Number.NaN);
}
