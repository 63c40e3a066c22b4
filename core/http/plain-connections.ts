/** Connections before the HTTP server has them: a client that sends plain publishes only is served without it. */
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { PlainConnection } from './plain-connection.ts';
import type { PlainConnectionDependencies, PlainConnectionOwner } from './plain-connection.ts';

export interface PlainConnections {
  /** Closes every connection that the HTTP server does not have, whatever it waits for. */
  cut(): void;
}

/** Must be called before the server listens. */
export function takePlainConnections(
  app: FastifyInstance,
  parts: Omit<PlainConnectionDependencies, 'keptMs'>,
): PlainConnections {
  const server: Server = app.server;
  const all = new Set<PlainConnection>();
  const served = server.listeners('connection');
  const serve = (socket: unknown): void => {
    for (const hear of served) Reflect.apply(hear, server, [socket]);
  };
  const owner: PlainConnectionOwner = {
    handOver: (connection) => {
      all.delete(connection);
      serve(connection.socket);
    },
    unreadable: (connection, why) => {
      all.delete(connection);
      server.emit('clientError', why, connection.socket);
    },
    gone: (connection) => void all.delete(connection),
  };
  const looks = setInterval(() => {
    const now = performance.now();
    for (const connection of all) connection.look(now);
  }, parts.silence.everyMs).unref();
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    for (const connection of all) connection.end();
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(looks);
    done();
  });
  server.removeAllListeners('connection');
  server.on('connection', (socket: unknown) => {
    // One that is read once more is no socket, and its bytes were not plain before.
    if (isClosing || !(socket instanceof Socket)) serve(socket);
    else all.add(new PlainConnection(socket, { ...parts, keptMs: server.keepAliveTimeout }, owner));
  });
  return {
    cut: () => {
      for (const { socket } of all) socket.destroy();
    },
  };
}
