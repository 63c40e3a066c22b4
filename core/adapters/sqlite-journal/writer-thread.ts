/** The thread that writes; what it does is in writer.ts. */
import { parentPort } from 'node:worker_threads';

import { serve, tellStep } from './serve.ts';
import type { WriterRequests } from './requests.ts';
import { Writer } from './writer.ts';

const IDLE_MS = 1000;

const writer = new Writer(Date.now, tellStep);
serve<WriterRequests>(writer, () => writer.folder);

let idle: NodeJS.Timeout | undefined;
parentPort?.on('message', () => {
  clearTimeout(idle);
  idle = setTimeout(() => writer.idle(), IDLE_MS);
  idle.unref();
});
