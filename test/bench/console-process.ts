/**
 * A console that is attached, in a process of its own: opens the stream and acknowledges every batch; with the scope `views` it looks at
 * one view.
 */
import { WebSocket } from 'ws';
import { reportCoordinator } from './coordinator.ts';

/** Lines of the view that a console of the scope `views` looks at. */
const ROWS = 50;

const [address = '', token = '', scope = 'all'] = process.argv.slice(2);
let nextId = 1;
let events = 0;
/** A stream that is opened again finds the view that it had. */
let hasView = false;

const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/stream`, {
  headers: { authorization: `Bearer ${token}` },
});
const call = (method: string, params: unknown): void =>
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params }));
/** As the console's own page does it: nothing answers. */
const acknowledge = (sequence: number): void =>
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'stream.ack', params: { sequence } }));

socket.on('open', () => call('stream.open', { scope }));
socket.on('message', (data: Buffer) => {
  const message: {
    readonly method?: string;
    readonly result?: { readonly epoch?: string; readonly viewId?: string } | null;
    readonly error?: unknown;
    readonly params?: { readonly to?: number; readonly events?: readonly unknown[] };
  } = JSON.parse(data.toString('utf8'));
  if (message.error !== undefined) throw new Error(`the console refused: ${JSON.stringify(message.error)}`);
  if (message.method === 'view.changed') events += 1;
  if (message.method === 'stream.batch') {
    events += message.params?.events?.length ?? 0;
    acknowledge(message.params?.to ?? 0);
  } else if (message.method === 'stream.reset') {
    call('stream.open', { scope });
  } else if (typeof message.result?.epoch === 'string') {
    if (scope !== 'views') reportCoordinator({ kind: 'attached' });
    else if (!hasView) call('view.open', { order: 'newest' });
    hasView = true;
  } else if (typeof message.result?.viewId === 'string') {
    call('view.rows', { viewId: message.result.viewId, from: 0, count: ROWS });
    reportCoordinator({ kind: 'attached' });
  }
});
process.on('message', () => reportCoordinator({ kind: 'events', events }));
process.on('disconnect', () => process.exit());
