/** A port that the system refuses, as ports below 1024 are for users without rights. */
import { Server } from 'node:net';
import { onTestFinished, vi } from 'vitest';

/** Lets the system refuse the port with this code until the end of the test. */
export function forbidPort(port: number, code = 'EACCES'): void {
  const listen = Server.prototype.listen;
  const spy = vi.spyOn(Server.prototype, 'listen');
  spy.mockImplementation(function forbidding(this: Server, ...asked: unknown[]): Server {
    const [where] = asked;
    const wanted = typeof where === 'object' && where !== null && 'port' in where ? where.port : where;
    if (wanted !== port) return Reflect.apply(listen, this, asked) as Server;
    const error = new Error(`listen ${code}: refused 127.0.0.1:${port}`);
    process.nextTick(() => this.emit('error', Object.assign(error, { code, port })));
    return this;
  });
  onTestFinished(() => spy.mockRestore());
}
