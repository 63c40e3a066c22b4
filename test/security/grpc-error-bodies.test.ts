/** Every status that ends a call at the gRPC port of a sidecar is one of docs/errors.md, whatever the client sends. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import { expect, onTestFinished, test } from 'vitest';
import { ERRORS } from '../../core/contract/errors.ts';
import type { ErrorRow } from '../../core/contract/errors.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { openGrpcServer } from '../../core/grpc/server.ts';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import { framed } from '../../core/tap/grpc/frames.ts';
import { fakeSidecar } from '../http/fake-sidecar.ts';

const docs = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
/** Codes of the table of all other answers, with their texts where they are quoted. */
const ROWS = [...docs.matchAll(/^\| gRPC \| (\d+) `[A-Z_]+` \| (?:text `(.+?)`|.+?) \| .+ \|$/gm)].map(
  ([, code, says]) => ({ code: Number(code), says }),
);
const HTTP_STATUSES = [...docs.matchAll(/^\| gRPC port \| HTTP (\d+) \|/gm)].map(([, status]) =>
  Number(status),
);

const SERVICE = '/dapr.proto.runtime.v1.Dapr';
const STREAM = `${SERVICE}/SubscribeTopicEventsAlpha1`;

interface Asked {
  readonly path?: string;
  readonly headers?: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

interface Ended {
  readonly http: number;
  /** Undefined: it ended without one. */
  readonly code: number | undefined;
  readonly text: string;
}

async function open(): Promise<(asked: Asked) => Promise<Ended>> {
  const server = await openGrpcServer({
    sidecar: fakeSidecar().view,
    profile: PROFILES.sidecar,
    port: 0,
    maxBodyBytes: () => 1000,
    httpUrl: () => 'http://127.0.0.1:3500',
    shutdown: () => undefined,
    log: { write: () => undefined },
  });
  onTestFinished(() => server.close(0));
  const session = connect(`http://${server.address}`);
  onTestFinished(() => session.destroy());
  return async ({ path = `${SERVICE}/PublishEvent`, headers = {}, bytes }) => {
    const base = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
    const stream = session.request({ ...base, ...headers });
    return new Promise((resolve, reject) => {
      let all: IncomingHttpHeaders = {};
      const take = (some: IncomingHttpHeaders): void => void (all = { ...all, ...some });
      stream.on('response', take).on('trailers', take).on('error', reject).resume();
      stream.on('end', () =>
        resolve({
          http: Number(all[':status']),
          code: all['grpc-status'] === undefined ? undefined : Number(all['grpc-status']),
          text: decodeURIComponent(String(all['grpc-message'] ?? '')),
        }),
      );
      stream.end(bytes);
    });
  };
}

/** Whether a row of either table has the code with this text; a row without a quoted text says in words what it is. */
function isDocumented({ http, code, text }: Ended): boolean {
  if (code === undefined) return HTTP_STATUSES.includes(http);
  return (
    Object.values(ERRORS).some((row: ErrorRow) => row.grpc === code && isLike(row.says, text)) ||
    ROWS.some((row) => row.code === code && (row.says === undefined || isLike(row.says, text)))
  );
}

function isLike(says: string, text: string): boolean {
  const parts = says.split(/\{[^}]+\}/).map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(text);
}

test('every status of the gRPC port is documented', async () => {
  const ask = await open();
  const { publishEventRequest } = await loadProtocol();
  const message = {
    pubsub_name: 'pubsub',
    topic: 'orders',
    data: Buffer.from('1'),
    data_content_type: 'application/json',
    metadata: {},
  };
  const bytes = framed(publishEventRequest.encode(message));
  const compressed = Buffer.concat([Buffer.of(1), bytes.subarray(1)]);
  const large = framed(publishEventRequest.encode({ ...message, data: Buffer.alloc(2000) }));
  const ended: Ended[] = [];
  for (const asked of [
    { bytes: Buffer.alloc(0) },
    { bytes: bytes.subarray(0, 9) },
    { bytes: Buffer.concat([bytes, bytes]) },
    { bytes: framed(Buffer.of(0xff, 0xff, 0xff)) },
    { bytes: large },
    { bytes: compressed, headers: { 'grpc-encoding': 'gzip' } },
    { bytes: compressed, headers: { 'grpc-encoding': 'other' } },
    { bytes, headers: { 'content-type': 'text/plain' } },
    { bytes, headers: { 'grpc-timeout': 'soon' } },
    { bytes, path: '/a.b.C/D' },
    { bytes, path: '/' },
    { bytes, path: `${SERVICE}/GetState` },
    { bytes, path: `${SERVICE}/Nothing` },
    { bytes: Buffer.alloc(0), path: `${SERVICE}/InvokeBinding` },
    { bytes: framed(Buffer.alloc(0)), path: `${SERVICE}/InvokeBinding` },
    { bytes: framed(Buffer.alloc(0)), path: STREAM },
    { bytes: framed(Buffer.of(0xff)), path: STREAM },
  ])
    ended.push(await ask(asked));
  const wrong = ended.filter(({ code }) => code !== 0);
  expect(wrong.length).toBeGreaterThan(ended.length - 4);
  expect(wrong.filter((one) => !isDocumented(one))).toEqual([]);
});
