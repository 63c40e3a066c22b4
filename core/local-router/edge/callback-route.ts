/** Route of the address that validates an endpoint by hand. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { single } from './listener.ts';
import type { Web } from './listener.ts';
import type { Subscriptions } from '../subscriptions/subscriptions.ts';

/** Adds GET and POST. The token in the query is the credential. */
export function addCallback(app: Web, subscriptions: Subscriptions): void {
  const validate = async (
    request: FastifyRequest<{ Params: { name: string }; Querystring: { id?: string; token?: string } }>,
    reply: FastifyReply,
  ): Promise<void> => {
    void reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const { id, token } = request.query;
    const given = { id: String(id ?? ''), token: String(token ?? '') };
    subscriptions.callback(request.params.name, given, single(request, 'webhook-allowed-rate'));
    await reply
      .type('text/plain; charset=utf-8')
      .send('Webhook successfully validated as a subscription endpoint');
  };
  app.get('/eventsubscriptions/:name/validate', validate);
  app.post('/eventsubscriptions/:name/validate', validate);
}
