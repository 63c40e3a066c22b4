/** Implementation of each answer kind. A new kind adds one line here. */
import type { Answer } from '../../contract/mock-app.ts';
import type { Incoming } from '../incoming.ts';
import type { Reply } from '../reply.ts';
import { ask } from './ask.ts';
import type { AnswerPorts } from './answering.ts';
import { respondBulk } from './respond-bulk.ts';
import { respond } from './respond.ts';
import { hang, reset } from './silent.ts';

export interface Request {
  readonly incoming: Incoming;
  readonly reply: Reply;
  readonly ports: AnswerPorts;
}

/** Gives a request this answer, now or after its delay. */
export function giveAnswer(answer: Answer, request: Request): void {
  switch (answer.kind) {
    case 'respond':
      return respond({ ...request, answer });
    case 'respond-bulk':
      return respondBulk({ ...request, answer });
    case 'hang':
      return hang({ ...request, answer });
    case 'reset':
      return reset({ ...request, answer });
    case 'ask':
      return ask({ ...request, answer });
  }
}
