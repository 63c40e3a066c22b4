/** Another program that takes a port just before it is bound, after it was found free. */
import { createServer, Server } from 'node:net';
import { onTestFinished, vi } from 'vitest';

export interface TakenInBetween {
  /** Ports at which a listener of this process listens that began since, without those of the other program. */
  own(): readonly number[];
}

/**
 * Lets another listener take each of the ports until the end of the test, right before the next one that binds it.
 * @param looks how many listeners only try the port before that; the tap tries by connecting, so it has none
 */
export function takeInBetween(ports: readonly number[], looks: 0 | 1): TakenInBetween {
  const listen = Server.prototype.listen;
  const asked = new Map(ports.map((port) => [port, 0]));
  const bind = (server: Server, how: unknown[]): Server => Reflect.apply(listen, server, how) as Server;
  const begun = new Set<Server>();
  const spy = vi.spyOn(Server.prototype, 'listen');
  spy.mockImplementation(function lateListener(this: Server, ...how: unknown[]): Server {
    const [where] = how;
    begun.add(this);
    const port = typeof where === 'object' && where !== null && 'port' in where ? where.port : where;
    const before = typeof port === 'number' ? asked.get(port) : undefined;
    if (typeof port !== 'number' || before === undefined) return bind(this, how);
    asked.set(port, before + 1);
    if (before !== looks) return bind(this, how);
    const other = createServer((socket) => socket.destroy());
    onTestFinished(() => void other.close());
    other.once('error', (error) => this.emit('error', error));
    bind(other, [port, '127.0.0.1', () => bind(this, how)]);
    return this;
  });
  onTestFinished(() => spy.mockRestore());
  const portOf = (server: Server): readonly number[] => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? [address.port] : [];
  };
  return { own: () => [...begun].flatMap(portOf) };
}
