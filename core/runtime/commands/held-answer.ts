/** Builds the answer that a person gives instead of a held response. */
import { grpcOfHttp } from '../../contract/status-pairs.ts';
import { grpcCodeName } from '../../contract/grpc.ts';
import type { Attempt } from '../../contract/message.ts';
import type { Answer } from '../../contract/mock-app.ts';
import { wordForEntry } from '../../contract/status-words.ts';
import type { Codec } from '../../domain/codec.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';

/** The attempt whose answer is replaced, with one of its entries. */
export interface HeldAttempt {
  readonly attempt: Pick<Attempt, 'protocol' | 'bulk'>;
  readonly entryId: string;
}

/**
 * Builds the answer. It has an HTTP status whatever protocol the app speaks, as the mock app's answers have. Throws Refusal INVALID_PARAMS
 * for an answer that cannot have been received (`ask`).
 */
export function heldAnswerFrom(
  answer: Answer,
  { attempt, entryId }: HeldAttempt,
  codec: Codec,
): ReceivedAnswer {
  const isGrpc = attempt.protocol === 'grpc';
  switch (answer.kind) {
    case 'respond':
      return {
        kind: 'response',
        ...statusOf(answer.status, isGrpc),
        headers: answer.headers ?? {},
        body: codec.fromText(bodyText(answer.body)),
      };
    case 'respond-bulk': {
      // A held answer is released for one entry, which counts as the first.
      const word = wordForEntry(answer.statuses, entryId, 1);
      const entry = { [isGrpc ? 'entry_id' : 'entryId']: entryId, status: word };
      // For a single delivery the answer has one status word, as in a rule.
      const alone = word === undefined ? {} : { status: word };
      const said = attempt.bulk === undefined ? alone : { statuses: word === undefined ? [] : [entry] };
      return {
        kind: 'response',
        ...statusOf(answer.status, isGrpc),
        headers: {},
        body: codec.fromText(JSON.stringify(said)),
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

function statusOf(
  status: number,
  isGrpc: boolean,
): { readonly status: number; readonly protocol?: 'grpc'; readonly statusText?: string } {
  if (!isGrpc) return { status };
  const code = grpcOfHttp(status);
  return { protocol: 'grpc', status: code, statusText: grpcCodeName(code) };
}

function bodyText(body: unknown): string {
  if (body === undefined) return '';
  return typeof body === 'string' ? body : JSON.stringify(body);
}
