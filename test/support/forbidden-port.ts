/** A port on which this user may not listen, as ports below 1024 are for users without rights. */
import { Server } from 'node:net';
import { onTestFinished, vi } from 'vitest';

/** Lets the system refuse the port until the end of the test. */
export function forbidPort(port: number): void {
  const listen = Server.prototype.listen;
  const spy = vi.spyOn(Server.prototype, 'listen');
  spy.mockImplementation(function forbidding(this: Server, ...asked: unknown[]): Server {
    const [where] = asked;
    const wanted = typeof where === 'object' && where !== null && 'port' in where ? where.port : where;
    if (wanted !== port) return Reflect.apply(listen, this, asked) as Server;
    const error = new Error(`listen EACCES: permission denied 127.0.0.1:${port}`);
    process.nextTick(() => this.emit('error', Object.assign(error, { code: 'EACCES', port })));
    return this;
  });
  onTestFinished(() => spy.mockRestore());
}
