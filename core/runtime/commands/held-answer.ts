/** Builds the answer that a person gives instead of a held response. */
import { grpcOfHttp } from '../../contract/status-pairs.ts';
import { grpcCodeName } from '../../contract/grpc.ts';
import type { Attempt } from '../../contract/message.ts';
import type { Answer, BulkStatuses } from '../../contract/mock-app.ts';
import type { Codec } from '../../domain/codec.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';

/** Lowest status: below it a client waits for the real answer to follow. */
const MIN_STATUS = 200;

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
  if ('status' in answer && answer.status < MIN_STATUS) {
    const expected = `an integer ${MIN_STATUS} to 599`;
    const reason = `answer.status must be ${expected}: ${answer.status} only announces an answer`;
    throw new Refusal('INVALID_PARAMS', { reason }, { field: 'answer.status', expected });
  }
  switch (answer.kind) {
    case 'respond':
      return {
        kind: 'response',
        ...statusOf(answer.status, isGrpc),
        headers: answer.headers ?? {},
        body: codec.fromText(bodyText(answer.body)),
      };
    case 'respond-bulk': {
      const { statuses } = answer;
      const word =
        typeof statuses === 'string'
          ? { 'all-success': 'SUCCESS', 'all-retry': 'RETRY', 'all-drop': 'DROP' }[statuses]
          : wordOf(statuses, entryId);
      const entry = { [isGrpc ? 'entry_id' : 'entryId']: entryId, status: word };
      // For a single delivery the answer has one status word, as in a rule.
      const alone = word === null ? {} : { status: word };
      const said = attempt.bulk === undefined ? alone : { statuses: word === null ? [] : [entry] };
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

/** A named entry has its own word, even if that is none. */
function wordOf(
  statuses: Exclude<BulkStatuses, string>,
  entryId: string,
): 'SUCCESS' | 'RETRY' | 'DROP' | null {
  const key = [entryId, '#1', '*'].find((one) => Object.hasOwn(statuses, one));
  return key === undefined ? null : (statuses[key] ?? null);
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
