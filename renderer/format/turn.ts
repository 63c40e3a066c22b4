/** Why a delivery that may be attempted has no attempt yet, and what a message waits for before it has deliveries, in words. */
import { theApp } from '../../core/contract/app-text.ts';
import { clause } from '../../core/contract/error-text.ts';
import type { Delivery, PublishAgainWait } from '../../core/contract/message.ts';
import { fill } from '../copy/fill.ts';
import { TURN, WHY } from '../copy/why.ts';
import { clockSeconds } from './clock-time.ts';
import { count, size } from './quantity.ts';
import { visibleShort } from './visible-text.ts';

/** Reasons that do not depend on the deliveries before it. */
const ALONE: ReadonlySet<string> = new Set(['stopping', 'batch', 'earlier-call', 'preparing', 'act']);

/** "Waiting for a call to end: 10 calls of this subscription are running, … 3 deliveries go first."; undefined: it waits for no turn. */
export function turnText({
  turn,
  appId,
  subscription: { pubsubname, topic },
}: Pick<Delivery, 'turn' | 'appId' | 'subscription'>): string | undefined {
  if (turn === undefined) return undefined;
  const { reason, ahead, now, most, own, latestAt } = turn;
  const isBehind = reason === 'turn' && ahead !== undefined && ahead > 0;
  const words = isBehind ? TURN.behind : own === true ? TURN.ownCalls : TURN[reason];
  const amount = reason === 'bodies' ? size : count;
  const text = fill(words, {
    app: theApp(appId),
    pubsub: visibleShort(pubsubname),
    topic: visibleShort(topic),
    now: now === undefined ? undefined : amount(now),
    most: most === undefined ? undefined : amount(most),
    time: latestAt === undefined ? undefined : clockSeconds(latestAt),
  });
  if (ahead === undefined || ALONE.has(reason) || (reason === 'turn' && !isBehind)) return text;
  return `${text} ${ahead === 0 ? TURN.first : fill(TURN.ahead, { n: count(ahead) })}`;
}

/** "OOM command not allowed. Next try at 14:05:03." */
export function publishAgainText({ reason, nextTryAt }: PublishAgainWait): string {
  if (nextTryAt === undefined) return `${clause(reason)}.`;
  return fill(WHY.nextTry, { reason: clause(reason), time: clockSeconds(nextTryAt) });
}
