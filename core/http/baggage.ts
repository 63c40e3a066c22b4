/** The `baggage` header: sent back as it came, and refused where the release that is followed refuses it. */
import type { FastifyInstance } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import { baggageMistake } from '../domain/baggage.ts';
import { sendText } from './errors.ts';

/** Must be added before the hooks that refuse for other reasons: an unreadable header is the first thing looked at. */
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
