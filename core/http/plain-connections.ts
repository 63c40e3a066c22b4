/** Serves connections before the HTTP server: a client that sends only plain publishes never reaches it. */
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { PlainConnection } from './plain-connection.ts';
import type { PlainConnectionDependencies, PlainConnectionOwner } from './plain-connection.ts';
import { shareReads } from './shared-read.ts';

export interface PlainConnections {
  /** Closes all connections that the HTTP server does not have, whatever they wait for. */
  cut(): void;
}

/** Takes over new connections. It must be called before the server listens. */
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
    // A connection that is parsed again is no socket, and its earlier bytes were not plain.
    if (isClosing || !(socket instanceof Socket)) serve(socket);
    else
      all.add(new PlainConnection(shareReads(socket), { ...parts, keptMs: server.keepAliveTimeout }, owner));
  });
  return {
    cut: () => {
      for (const { socket } of all) socket.destroy();
    },
  };
}
