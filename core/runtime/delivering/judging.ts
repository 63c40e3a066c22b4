/** Verdict on an unchanged answer, by the table of its protocol. */
import type { Protocol } from '../../contract/grpc.ts';
import { readAnswer, readBulkAnswer, readGrpcAnswer, readGrpcBulkAnswer } from '../../domain/answer.ts';
import type { Codec } from '../../domain/codec.ts';
import { judgeBinding, judgeBulk, judgeGrpc, judgeGrpcBulk, judgeSingle } from '../../domain/verdict.ts';
import type { LeftOut, Verdict } from '../../domain/verdict.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { SharedServices } from '../common-services.ts';
import { bodyText } from './answer-body.ts';

/** @param isBinding whether the event came from an input binding, whose sender decides about retries */
export function judgeAnswer(
  answer: ReceivedAnswer,
  isBinding: boolean,
  protocol: Protocol,
  { codec, profile }: Pick<SharedServices, 'codec' | 'profile'>,
): Verdict {
  if (protocol === 'grpc') {
    const read = answer.kind === 'none' ? answer : readGrpcAnswer(answer.status, bodyText(answer, codec));
    return isBinding ? judgeBinding(read) : judgeGrpc(read);
  }
  const read = answer.kind === 'none' ? answer : readAnswer(answer.status, bodyText(answer, codec));
  return isBinding ? judgeBinding(read) : judgeSingle(read, profile.differences);
}

/** Rules of entries that the app left out. A mistake of the app leaves out all of a batch, so the log has one line for them. */
const LEFT_OUT: ReadonlySet<Verdict['rule']> = new Set(['bulk.2xx.missing', 'grpc.bulk.missing']);

/** Verdicts by entry id of a batch; `unknown`: entries that the app named and was not sent. */
export function judgeEntries(
  answer: ReceivedAnswer,
  entryIds: readonly string[],
  protocol: Protocol,
  codec: Codec,
): ReturnType<typeof judgeBulk> {
  const { verdicts, unknown } = judgedEntries(answer, entryIds, protocol, codec);
  const missing = [...verdicts].filter(([, { rule }]) => LEFT_OUT.has(rule));
  if (missing.length < 2) return { verdicts, unknown };
  const all = new Map(verdicts);
  // Which of them is logged first shows only later: a hold may keep the answer for one back.
  const leftOut: LeftOut = { entries: missing.length, isLogged: false };
  for (const [entryId, verdict] of missing) all.set(entryId, { ...verdict, leftOut });
  return { verdicts: all, unknown };
}

function judgedEntries(
  answer: ReceivedAnswer,
  entryIds: readonly string[],
  protocol: Protocol,
  codec: Codec,
): ReturnType<typeof judgeBulk> {
  if (protocol === 'grpc') {
    const read = answer.kind === 'none' ? answer : readGrpcBulkAnswer(answer.status, bodyText(answer, codec));
    return judgeGrpcBulk(read, entryIds);
  }
  const read = answer.kind === 'none' ? answer : readBulkAnswer(answer.status, bodyText(answer, codec));
  return judgeBulk(read, entryIds);
}
