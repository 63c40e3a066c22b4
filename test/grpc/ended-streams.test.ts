/** A client whose connection ends with the bytes that open a stream: neither a sidecar nor a mock app may end over it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { openGrpcServer } from '../../core/grpc/server.ts';
import { fakeSidecar } from '../http/fake-sidecar.ts';
import { openClient } from '../support/grpc-client.ts';
import { openMockApp } from '../support/mock-app-parts.ts';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const [DATA, HEADERS, SETTINGS] = [0, 1, 4];
/** A POST to /a without a content type. */
const REQUEST = Buffer.from([0x83, 0x86, 0x44, 1, 0x2f, 0x41, 1, 0x61]);

function frame(type: number, stream: number, content = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(content.length, 0, 3);
  head[3] = type;
  head[4] = type === HEADERS ? 4 : 0;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, content]);
}

/** Opens a stream, and has the connection closed for a flood of empty frames in it. */
async function endInStream(address: string): Promise<void> {
  const { hostname, port } = new URL(`http://${address}`);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => socket.destroy()).resume();
  const empty = Buffer.concat(Array.from({ length: 2000 }, () => frame(DATA, 1)));
  socket.write(Buffer.concat([PREFACE, frame(SETTINGS, 0), frame(HEADERS, 1, REQUEST), empty]));
  await once(socket, 'close');
}

async function addressOf(what: string): Promise<string> {
  if (what === 'a mock app') return (await openMockApp({ protocol: 'grpc' })).url.replace('grpc://', '');
  const server = await openGrpcServer({
    sidecar: fakeSidecar().view,
    profile: PROFILES.dapr,
    port: 0,
    maxBodyBytes: () => 4_194_304,
    httpUrl: () => 'http://127.0.0.1:3500',
    shutdown: () => undefined,
    log: { write: () => undefined },
  });
  onTestFinished(() => server.close(0));
  return server.address;
}

test.each(['a sidecar', 'a mock app'])('%s goes on', async (what) => {
  const address = await addressOf(what);
  for (let each = 0; each < 20; each += 1) await endInStream(address);
  const client = await openClient(address);
  onTestFinished(() => client.close());
  const { empty } = client.protocol;
  expect(await client.call('/none/None', empty, {}, empty)).toMatchObject({ code: 'UNIMPLEMENTED' });
});
