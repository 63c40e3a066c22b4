// A tap's port alone, without a runtime behind it.
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import { BodyRoom } from '../../core/tap/body-room.ts';
import type { Side } from '../../core/tap/exchange.ts';
import { Listener } from '../../core/tap/listener.ts';
import type { Target } from '../../core/tap/relay.ts';
import { sideThat } from './pass-through.ts';
import type { Manner } from './pass-through.ts';
import { unexpected } from './unexpected.ts';

/** Not open yet: whoever opens it closes it. */
export function listenerTo(to: Target, given: Manner | Side, room = new BodyRoom()): Listener {
  return new Listener(0, {
    side: typeof given === 'string' ? sideThat(given) : given,
    to,
    room,
    reports: new DeferredReports(systemClock(), unexpected),
  });
}

/** The port at which a tap listens before this server. Both end with the test. */
export async function tapBefore(server: Server, given: Manner | Side, room?: BodyRoom): Promise<number> {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const listener = listenerTo({ host: '127.0.0.1', port }, given, room);
  await listener.open();
  onTestFinished(async () => {
    await listener.close();
    server.close();
  });
  return listener.port;
}
