/** What became of two messages: states, attempts and answers of their deliveries, side by side. */
import { duration } from '../../core/contract/duration-text.ts';
import type { Delivery, MessageDetail } from '../../core/contract/message.ts';
import { COMPARE_LIVES } from '../copy/compare-lives.ts';
import { fill } from '../copy/fill.ts';
import { CHIP_WORDS } from '../copy/states.ts';
import { judgedText } from './calls.ts';
import { count } from './quantity.ts';
import { chipOf } from './row.ts';

export interface ComparedFact {
  readonly id: string;
  readonly name: string;
  readonly left: string;
  readonly right: string;
}

type Life = Readonly<Record<keyof typeof COMPARE_LIVES.facts, string>>;

const { facts, noAnswer, noDelivery, none, ofApp } = COMPARE_LIVES;

const NO_DELIVERY: Life = { state: noDelivery, attempts: none, lastAnswer: none, took: none };

/** The facts of each app's delivery; of the message itself where neither has one. */
export function comparedFacts(left: MessageDetail, right: MessageDetail): readonly ComparedFact[] {
  const pairs = pairsOf(left.deliveries, right.deliveries);
  if (pairs.length === 0)
    return [{ id: 'state', name: facts.state, left: stateWithout(left), right: stateWithout(right) }];
  return pairs.flatMap(({ id, appId, one, other }) => {
    const [ofOne, ofOther] = [lifeOf(left, one), lifeOf(right, other)];
    return Object.entries(facts).map(([key, fact]): ComparedFact => ({
      id: `${id} ${key}`,
      name: pairs.length === 1 ? fact : fill(ofApp, { app: appId, fact }),
      left: ofOne[key as keyof Life],
      right: ofOther[key as keyof Life],
    }));
  });
}

interface Pair {
  readonly id: string;
  readonly appId: string;
  readonly one: Delivery | undefined;
  readonly other: Delivery | undefined;
}

/** The deliveries of each app to its first subscription, to its second one, and so on. */
function pairsOf(left: readonly Delivery[], right: readonly Delivery[]): readonly Pair[] {
  const appIds = [...new Set([...left, ...right].map(({ appId }) => appId))];
  return appIds.flatMap((appId) => {
    const [ones, others] = [left, right].map((all) => all.filter((each) => each.appId === appId)) as [
      Delivery[],
      Delivery[],
    ];
    return Array.from({ length: Math.max(ones.length, others.length) }, (_, index): Pair => ({
      id: `${appId} ${index}`,
      appId,
      one: ones[index],
      other: others[index],
    }));
  });
}

function lifeOf(message: MessageDetail, delivery: Delivery | undefined): Life {
  if (delivery === undefined)
    return message.deliveries.length > 0 ? NO_DELIVERY : { ...NO_DELIVERY, state: stateWithout(message) };
  const { state, attempts } = delivery;
  const last = attempts.findLast(({ endedAt }) => endedAt !== undefined);
  return {
    state: CHIP_WORDS[state],
    attempts: count(attempts.length),
    lastAnswer: last === undefined ? none : (judgedText(last) ?? noAnswer),
    took: last?.durationMs === undefined ? none : duration(last.durationMs),
  };
}

function stateWithout(message: MessageDetail): string {
  return CHIP_WORDS[chipOf({ ...message, deliveries: [] }).kind];
}
