/** A mock app on a free port with everything it needs, closed after the test. */
import { onTestFinished } from 'vitest';

import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createHttpAppChannel } from '../../core/adapters/http-app-channel/channel.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { createMockApp } from '../../core/mock-app/server.ts';
import type { MockAppOptions } from '../../core/mock-app/server.ts';
import type { AppChannel, PendingAnswer, ReceivedAnswer } from '../../core/ports/app-channel.ts';
import type { Log } from '../../core/ports/log.ts';
import { ATTEMPT_HEADER } from '../../core/ports/mock-app.ts';
import type { MockApp } from '../../core/ports/mock-app.ts';

export const SILENT: Log = { write: () => undefined };

export async function openMockApp(options: Partial<MockAppOptions> = {}): Promise<MockApp> {
  const app = await createMockApp({
    appId: 'app',
    port: 0,
    profile: PROFILES.sidecar,
    clock: systemClock(),
    ids: randomIds(),
    random: { next: () => 0.5 },
    codec: bufferCodec,
    log: SILENT,
    ...options,
  });
  onTestFinished(async () => app.close());
  return app;
}

/** A channel to it as the sidecar has one, closed after the test. */
export function channelToMock(app: MockApp): AppChannel {
  const channel = createHttpAppChannel({ url: app.url });
  onTestFinished(async () => channel.close());
  return channel;
}

/** Body and headers of a request. */
export interface Sending {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** POSTs to /orders, under an attempt id if one is given. */
export function send(channel: AppChannel, sending: Sending, attemptId?: string): PendingAnswer {
  const headers =
    attemptId === undefined ? sending.headers : { ...sending.headers, [ATTEMPT_HEADER]: attemptId };
  return channel.deliver({ path: '/orders', headers, body: sending.body, timeoutMs: 15_000 });
}

/** An answer with its body as text; throws when none came. */
export function responseOf(answer: ReceivedAnswer): {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  if (answer.kind !== 'response') throw new Error(`no answer: ${answer.code} ${answer.message}`);
  return { status: answer.status, text: Buffer.from(answer.body ?? []).toString(), headers: answer.headers };
}

export interface SentEvent {
  readonly id?: string;
  readonly type?: string;
  readonly topic?: string;
  readonly data?: unknown;
  readonly [attribute: string]: unknown;
}

/** Body and headers of a single delivery as the sidecar sends it. */
export function single(event: SentEvent = {}): Sending {
  const envelope = {
    specversion: '1.0',
    id: 'e1',
    type: 't',
    source: 's',
    topic: 'orders',
    pubsubname: 'pubsub',
    ...event,
  };
  return {
    body: JSON.stringify(envelope),
    headers: { 'content-type': 'application/cloudevents+json', pubsubname: 'pubsub' },
  };
}

/** Body and headers of a batch. */
export function batch(
  entryIds: readonly string[],
  event: (index: number) => SentEvent = () => ({}),
): Sending {
  const entries = entryIds.map((entryId, index) => ({
    entryId,
    event: { specversion: '1.0', id: `e${index + 1}`, type: 't', topic: 'orders', ...event(index) },
    metadata: null,
    contentType: 'application/cloudevents+json',
  }));
  const body = {
    entries,
    id: 'b1',
    metadata: { pubsubName: 'pubsub' },
    pubsubname: 'pubsub',
    topic: 'orders',
    type: 'com.sidecar.event.sent.bulk',
  };
  return {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', pubsubname: 'pubsub' },
  };
}
