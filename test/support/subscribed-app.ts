/** An app outside the product, which subscribes to the topic `mine` and answers each event as the test says. */
import { createServer } from 'node:http';

export interface SubscribedApp {
  readonly url: string;
  readonly port: number;
  /** Requests that it got, as `POST /mine`, oldest first. */
  readonly asked: readonly string[];
  /** From now on events get no answer. */
  hangs: boolean;
  /** Listens again, at the same port. */
  open(): Promise<void>;
  /** Ends every connection with it. */
  close(): Promise<void>;
}

export async function subscribedApp(): Promise<SubscribedApp> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.method !== 'GET' && app.hangs) return;
    const subscriptions = [{ pubsubname: 'pubsub', topic: 'mine', routes: { default: '/mine' } }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.method === 'GET' ? subscriptions : { status: 'SUCCESS' }));
  });
  const listen = (at: number): Promise<void> =>
    new Promise((done) => void server.listen(at, '127.0.0.1', done));
  await listen(0);
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the app is not served');
  const { port } = bound;
  const app: SubscribedApp = {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    hangs: false,
    open: () => listen(port),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => void server.close(done));
    },
  };
  return app;
}
