/** A console that is attached, in a process of its own: opens the stream and acknowledges every batch. */
import { WebSocket } from 'ws';

const [address = '', token = ''] = process.argv.slice(2);
let nextId = 1;
let events = 0;

const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/stream`, {
  headers: { authorization: `Bearer ${token}` },
});
const call = (method: string, params: unknown): void =>
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params }));

socket.on('open', () => call('stream.open', {}));
socket.on('message', (data: Buffer) => {
  const message: {
    readonly method?: string;
    readonly result?: { readonly epoch?: string } | null;
    readonly error?: unknown;
    readonly params?: { readonly to?: number; readonly events?: readonly unknown[] };
  } = JSON.parse(data.toString('utf8'));
  if (message.error !== undefined) throw new Error(`the console refused: ${JSON.stringify(message.error)}`);
  if (message.method === 'stream.batch') {
    events += message.params?.events?.length ?? 0;
    call('stream.ack', { sequence: message.params?.to ?? 0 });
  } else if (message.method === 'stream.reset') {
    call('stream.open', {});
  } else if (typeof message.result?.epoch === 'string') {
    process.send?.({ kind: 'attached' });
  }
});
process.on('message', () => process.send?.({ kind: 'events', events }));
process.on('disconnect', () => process.exit());
