/** Thousands of connections that are silent for too long at the same moment are answered in several turns. */
import { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { answerUnreadable as consoleAnswers } from '../../core/console/carriers/unreadable.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { EarlyAnswers } from '../../core/domain/http-edge.ts';
import type { ParserError } from '../../core/domain/http-edge.ts';
import { RequestBodies } from '../../core/domain/request-bodies.ts';
import { answerUnreadable as sidecarAnswers } from '../../core/http/unreadable.ts';
import { createReader } from '../../core/mock-app/request-reader.ts';
import { SILENCE } from '../../core/domain/http-edge.ts';

const TOO_LATE: ParserError = { code: 'ERR_HTTP_REQUEST_TIMEOUT' };
const PARTING_MS = 20;
const COUNT = 1300;

type Answers = (error: ParserError, socket: Socket) => void;

/** A connection that keeps what is written to it. */
class Socket extends Duplex {
  said = '';
  override _read(): void {
    // Its client sends nothing more.
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.said += String(chunk);
    done();
  }
}

const early = new EarlyAnswers();
const EDGES: Readonly<Record<string, () => Answers>> = {
  sidecar: () => {
    const noServer = (): never => {
      throw new Error('no request is read again here');
    };
    const silence = { ...SILENCE, partingMs: PARTING_MS };
    const turns = { holdsBack: () => false };
    return sidecarAnswers(noServer, { profile: PROFILES.sidecar, silence, turns, early });
  },
  console: () => consoleAnswers(PARTING_MS, early),
  'mock app': () => {
    const silence = { ...SILENCE, partingMs: PARTING_MS };
    const app = createReader(silence, PROFILES.sidecar, new RequestBodies(Infinity), () => undefined);
    onTestFinished(() => app.close());
    return (error, socket) => void app.server.emit('clientError', error, socket);
  },
};

test.each(Object.keys(EDGES))('%s', async (name) => {
  const answers = EDGES[name]?.();
  const sockets = Array.from({ length: COUNT }, () => new Socket());
  for (const socket of sockets) answers?.(TOO_LATE, socket);
  const ended = (): number => sockets.filter(({ writableEnded }) => writableEnded).length;
  expect(ended()).toBeGreaterThan(0);
  expect(ended()).toBeLessThanOrEqual(500);
  await expect.poll(ended).toBe(COUNT);
  expect(sockets.at(-1)?.said).toMatch(/^HTTP\/1\.1 408 /);
  await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBe(COUNT);
});
