/** The answer a person puts in place of a held response. */
import type { Answer } from '../../contract/mock-app.ts';
import type { Codec } from '../../domain/codec.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';

/** Throws Refusal INVALID_PARAMS for an answer that cannot stand for one that was received (`ask`). */
export function heldAnswerFrom(answer: Answer, entryId: string, codec: Codec): ReceivedAnswer {
  switch (answer.kind) {
    case 'respond':
      return {
        kind: 'response',
        status: answer.status,
        headers: answer.headers ?? {},
        body: codec.fromText(bodyText(answer.body)),
      };
    case 'respond-bulk': {
      const { statuses } = answer;
      const word =
        typeof statuses === 'string'
          ? { 'all-success': 'SUCCESS', 'all-retry': 'RETRY', 'all-drop': 'DROP' }[statuses]
          : (statuses[entryId] ?? statuses['#1'] ?? statuses['*'] ?? null);
      const body = { statuses: word === null ? [] : [{ entryId, status: word }] };
      return {
        kind: 'response',
        status: answer.status,
        headers: {},
        body: codec.fromText(JSON.stringify(body)),
      };
    }
    case 'hang':
      return { kind: 'none', code: 'timeout', message: 'no answer, set by hand' };
    case 'reset':
      return { kind: 'none', code: 'reset', message: 'the connection was reset, set by hand' };
    case 'ask':
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: 'a held response cannot be released with an answer of kind ask' },
        { field: 'answer.kind', expected: 'respond, respond-bulk, hang or reset' },
      );
  }
}

function bodyText(body: unknown): string {
  if (body === undefined) return '';
  return typeof body === 'string' ? body : JSON.stringify(body);
}
