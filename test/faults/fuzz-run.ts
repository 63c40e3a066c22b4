/** Sends hostile requests at the headless product and judges what comes back. */
import { readFile, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct } from '../conformance/driver.ts';
import { quickRetry } from '../conformance/suite/configuration.ts';
import { NAMES } from '../conformance/suite/names.ts';
import { PROGRAM } from '../support/program.ts';
import { hostileRequest } from './fuzz-requests.ts';

export interface FuzzResult {
  /** Findings, each with its number, so that it can be sent again. */
  readonly findings: readonly string[];
  /** Answers by status; `none`: the connection ended without one. */
  readonly statuses: Readonly<Record<string, number>>;
  /** A good message at the end was delivered, and both health routes said 204. */
  readonly isWell: boolean;
  /** How much the process grew over the second half, where the system tells. */
  readonly grownMiB: number | undefined;
  /** Files and sockets open at the end beyond those open at half time. */
  readonly openFilesMore: number | undefined;
}

/** Codes that a 500 may carry; a 500 with another body is a finding, and so is every other 5xx. */
const CODES_OF_500 = [
  'ERR_PUBSUB_CLOUD_EVENTS_SER',
  'ERR_PUBSUB_PUBLISH_MESSAGE',
  'ERR_INVOKE_OUTPUT_BINDING',
  'ERR_HEALTH_APPID_NOT_MATCH',
];
const ANSWER_MS = 15_000;
const SENDERS = 16;
const MAX_FINDINGS = 20;

/** Sends requests 0 to `count`-1 of `seed`, sixteen at a time. */
export async function fuzz(seed: number, count: number): Promise<FuzzResult> {
  const app = await startApp();
  const product = await startProduct({
    entry: PROGRAM,
    configuration: {
      id: 'fuzz',
      title: 'hostile requests',
      needs: 'nothing',
      args: () => [...quickRetry(2), '--set', 'storage.maxMessages=1000'],
      // A small heap: what is kept by mistake ends the process instead of being hidden by a lazy collector.
      env: () => ({ NODE_OPTIONS: '--max-old-space-size=192' }),
      maxAttempts: 2,
      cases: [],
    },
    names: NAMES.sidecar,
    appUrl: app.url,
  });
  try {
    const findings: string[] = [];
    const statuses: Record<string, number> = {};
    await untilHealthy(product.url);
    const { pid } = product;
    let next = 0;
    let early: Size | undefined;
    const sender = async (): Promise<void> => {
      while (next < count && findings.length < MAX_FINDINGS) {
        const number = next++;
        if (number === Math.floor(count / 2)) early = await sizeOf(pid);
        const { bytes, isWhole } = hostileRequest(seed, number);
        const answer = await exchange(product.url, bytes, isWhole);
        const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'none';
        statuses[status] = (statuses[status] ?? 0) + 1;
        const wrong = judge(status, answer, isWhole);
        if (wrong !== undefined) findings.push(`request ${number} of seed ${seed}: ${wrong}`);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    const isWell = await stillWorks(product.url, app.bodies);
    const late = await sizeOf(pid);
    return {
      findings,
      statuses,
      isWell,
      grownMiB: early === undefined || late === undefined ? undefined : late.mebibytes - early.mebibytes,
      openFilesMore: early === undefined || late === undefined ? undefined : late.files - early.files,
    };
  } finally {
    await product.stop();
    await app.close();
  }
}

interface Size {
  readonly mebibytes: number;
  readonly files: number;
}

interface FuzzApp {
  readonly url: string;
  /** Newest bodies that came, at most 1,000. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

/** Says yes to everything; subscribes to the topic that the requests name most. */
async function startApp(): Promise<FuzzApp> {
  const bodies: string[] = [];
  const subscriptions = [{ pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } }];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === NAMES.sidecar.discoveryPath) {
        response.end(JSON.stringify(subscriptions));
        return;
      }
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      if (bodies.length > 1_000) bodies.shift();
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the app listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    bodies,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Sends the bytes on a connection of their own; resolves with everything that came back. */
async function exchange(url: string, bytes: Buffer, isWhole: boolean): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes);
      // Half a request is not waited for: the sender goes away.
      if (!isWhole) socket.end();
    });
    socket.setTimeout(ANSWER_MS, () => {
      answer = 'no end';
      socket.destroy();
    });
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('error', (error) => (answer += answer === '' ? `error ${error.message}` : ''));
    socket.on('close', () => resolve(answer));
  });
}

/** Complaint about an answer; undefined: none. `isWhole`: an answer has to come. */
export function judge(status: string, answer: string, isWhole: boolean): string | undefined {
  if (answer === 'no end') return 'the connection was kept open without an answer';
  if (status === 'none') return isWhole ? `no answer: ${answer.slice(0, 200)}` : undefined;
  if (!status.startsWith('5')) return undefined;
  if (status !== '500') return `status ${status}`;
  if (answer.includes('"failedEntries"') || CODES_OF_500.some((code) => answer.includes(`"${code}"`)))
    return undefined;
  // A HEAD has no body to tell by; none of the routes answers one with 500.
  return `500 with ${answer.slice(answer.indexOf('\r\n\r\n') + 4).slice(0, 300)}`;
}

async function untilHealthy(url: string): Promise<void> {
  const until = performance.now() + ANSWER_MS;
  while ((await fetch(`${url}/v1.0/healthz`)).status !== 204) {
    if (performance.now() > until) throw new Error('the product did not become healthy');
    await sleep(20);
  }
}

async function stillWorks(url: string, bodies: readonly string[]): Promise<boolean> {
  const mark = `well ${performance.now()}`;
  const published = await fetch(`${url}/v1.0/publish/pubsub/orders`, { method: 'POST', body: mark });
  const until = performance.now() + ANSWER_MS;
  while (!bodies.some((body) => body.includes(mark))) {
    if (performance.now() > until) return false;
    await sleep(20);
  }
  const health = await fetch(`${url}/v1.0/healthz`);
  const outbound = await fetch(`${url}/v1.0/healthz/outbound`);
  return [published.status, health.status, outbound.status].every((status) => status === 204);
}

/** Memory and open files of a process; undefined where the system has no /proc. */
async function sizeOf(pid: number | undefined): Promise<Size | undefined> {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const files = await readdir(`/proc/${pid}/fd`);
  return { mebibytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024, files: files.length };
}
