/** The `baggage` header: returned unchanged, and refused by releases that refuse unreadable ones. */
import type { FastifyInstance } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import { baggageMistake } from '../domain/baggage.ts';
import { sendText } from './errors.ts';

/**
 * Adds the check. It must be added before the hooks that refuse for other reasons, because an unreadable
 * header is checked first.
 */
export function answerBaggage(app: FastifyInstance, { differences }: Profile): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { baggage } = request.headers;
    if (typeof baggage !== 'string' || baggage === '' || request.routeOptions.config.edge === 'health') {
      done();
      return;
    }
    const mistake = baggageMistake(baggage);
    if (mistake === undefined) reply.header('baggage', baggage);
    else if (differences.refusesUnreadableBaggage) {
      void sendText(reply, 400, `invalid baggage header: ${mistake}`);
      return;
    }
    done();
  });
}
