/** The history of a message in words with the ids of the rules: text for waits, failed steps and agents. */
import { attemptsByOutcome, notedCopy, steadySentence } from '../contract/cause.ts';
import type { Attempt, Delivery, MessageDetail, MessageRow, Transition } from '../contract/message.ts';
import { counted } from '../contract/count-text.ts';
import { duration } from '../contract/duration-text.ts';
import { clause } from '../contract/error-text.ts';
import { allOf } from '../contract/list-text.ts';
import { isDeliveredHereAlone, takersOf } from '../contract/subscribed-now.ts';
import type { AppRow } from '../contract/subscription.ts';
import { worstState } from '../domain/facet.ts';
import { printable } from '../domain/names.ts';
import { answerWords } from './app-words.ts';
import { inFileWords } from './file-words.ts';
import type { Rpc } from './rpc.ts';

/** Number of steps from which only the first and the last ones are listed. */
const MAX_STEPS = 12;

type ToldMessage = Pick<
  MessageDetail,
  | 'number'
  | 'topic'
  | 'pubsubname'
  | 'deliveries'
  | 'stage'
  | 'waitingFor'
  | 'at'
  | 'metadata'
  | 'tap'
  | 'expectedBy'
>;

/** Apps that would get a message without a delivery if it were published now; `mayBeElsewhere`: a broker may have given it to others. */
export interface Takers {
  readonly apps: readonly string[];
  readonly mayBeElsewhere: boolean;
}

/** The story of a message of now. One that no subscription matched is told with the subscriptions that are there by now. */
export async function storyOfNow(rpc: Rpc, message: ToldMessage): Promise<readonly string[]> {
  const { deliveries, stage, topic, pubsubname } = message;
  if (deliveries.length > 0 || stage !== undefined) return storyOf(message);
  const [subscriptions, components] = await Promise.all([
    rpc.call('subscriptions.list', {}),
    rpc.call('components.list', {}),
  ]);
  return storyOf(message, {
    apps: [...new Set(takersOf(subscriptions.items, topic, pubsubname))],
    mayBeElsewhere: !isDeliveredHereAlone(components.items, pubsubname),
  });
}

/**
 * One line for the message and its deliveries, then one line for each event. Without ids and times but
 * those that an app says itself, so that equal runs have equal stories.
 * @param takers absent: the subscriptions of now are not known, or say nothing
 */
export function storyOf(message: ToldMessage, takers?: Takers): readonly string[] {
  const { number, topic, deliveries } = message;
  const head = `message ${number} on ${topic}`;
  if (deliveries.length === 0) return [printable(`${head}: ${withoutDelivery(message, takers)}`)];
  const told = deliveries.flatMap((delivery) =>
    storyOfDelivery(delivery, message).map((line) => `  ${line}`),
  );
  const { stage, waitingFor = [] } = message;
  // Apps that have not answered yet may subscribe too; their deliveries are made then.
  const more = stage === 'waiting' && waitingFor.length > 0 ? [`  ${waitsFor(waitingFor)}`] : [];
  return [head, ...told, ...more].map(printable);
}

function waitsFor(appIds: readonly string[]): string {
  const [have, their] = appIds.length === 1 ? ['has', 'its'] : ['have', 'their'];
  return `waits until ${allOf(appIds)} ${have} reported ${their} subscriptions`;
}

/**
 * What Sidelight says of the apps, one line for each problem, where a message has gone to nobody: a wrong profile or a component that is
 * missing is why.
 */
export function problemsBehind(
  messages: readonly Pick<ToldMessage, 'deliveries' | 'stage' | 'tap'>[],
  apps: readonly Pick<AppRow, 'problems'>[],
): readonly string[] {
  const isUntaken = messages.some(
    ({ deliveries, stage, tap }) =>
      deliveries.length === 0 && (stage === undefined || stage === 'waiting') && tap === undefined,
  );
  // A report says itself that its app ended or does not listen, and nobody gave the address that this problem tells to check.
  const behind = apps.flatMap(({ problems }) => problems.filter(({ code }) => code !== 'nobody-listens'));
  const told = isUntaken ? behind.map(({ message }) => inFileWords(message)) : [];
  return [...new Set(told)].map((text) => printable(`problem: ${text}`));
}

function withoutDelivery(
  { stage, pubsubname, waitingFor, tap, expectedBy }: ToldMessage,
  takers: Takers | undefined,
): string {
  switch (stage) {
    case 'held':
      return 'held when it was published';
    case 'waiting':
      return waitingFor === undefined
        ? `waits for component ${pubsubname}, to be published again`
        : waitsFor(waitingFor);
    case 'refused':
      return 'refused: the publisher got an error, and no app got it';
    case 'dropped':
      return 'dropped while it was held at publish';
    case 'expired':
      return 'expired before a subscription had it';
    default:
      if (tap !== undefined)
        return `no delivery of it has passed a tap; only the sidecar of ${tap} knows its subscriptions`;
      if (expectedBy !== undefined)
        return `not delivered here: it still waits in ${pubsubname}, or went to another program of the group of ${expectedBy.join(', ')}`;
      return takers === undefined || takers.apps.length === 0
        ? `no subscription matched its topic on ${pubsubname}`
        : takenNow(pubsubname, takers);
  }
}

function takenNow(pubsubname: string, { apps, mayBeElsewhere }: Takers): string {
  const who = apps.join(', ');
  const [subscribe, group] =
    apps.length === 1 ? ['subscribes', "the app's group"] : ['subscribe', 'one of their groups'];
  return mayBeElsewhere
    ? `not delivered here: it was published before ${who} subscribed to its topic, still waits in ${pubsubname}, or went to another program of ${group}. If nobody got it, replay it`
    : `no subscription matched its topic on ${pubsubname} when it was published. ${who} ${subscribe} to it now: replay the message to deliver it`;
}

function storyOfDelivery(delivery: Delivery, message: ToldMessage): readonly string[] {
  const { appId, route, state, attempts, transitions } = delivery;
  const where = route.path === '' ? '' : ` at ${route.path}`;
  const head = `to ${appId}${where}: ${state} after ${counted(attempts.length, 'attempt')}`;
  const byOutcome = attemptsByOutcome(delivery);
  const steps = transitions.flatMap((each) => {
    if (each.to === 'attempting') return [];
    const attempt = byOutcome.get(each);
    const text = `${steadySentence(each, delivery, message)} (${each.to} by ${each.rule}`;
    return [attempt === undefined ? [`${text}${noteOf(each, text)})`] : stepOfAttempt(each, attempt, text)];
  });
  const held = delivery.heldAt === 'response' ? attempts.at(-1) : undefined;
  const kept = held === undefined ? [] : [`the answer to attempt ${held.number} is held`];
  return [head, ...[...shortened(steps).flat(), ...kept].map((line) => `  ${line}`)];
}

/** The line of an attempt, and one for what the app answered, which mostly says why the attempt failed. */
function stepOfAttempt(ended: Transition, attempt: Attempt, text: string): readonly string[] {
  const { number, answeredBy, nextWait } = attempt;
  const by = answeredBy?.name === undefined ? '' : `, answered by "${answeredBy.name}"`;
  const wait =
    nextWait === undefined || ended.to !== 'retrying' ? '' : `, next after ${duration(nextWait.ms)}`;
  const answer = ended.to === 'processed' ? undefined : answerWords(attempt);
  return [
    `attempt ${number}: ${text}${by}${wait}${noteOf(ended, text)})`,
    ...(answer === undefined ? [] : [`  answer: ${answer}`]),
  ];
}

/** What a note adds to the sentence, without the id of a copy; the note of a hold is only its id. */
function noteOf({ note, rule }: Transition, text: string): string {
  if (rule.startsWith('hold.')) return '';
  const { own, topic, refused } = notedCopy(note);
  const copied = topic === undefined ? undefined : `A copy was published to ${topic}`;
  // The id of a copy that a tap saw is one of this run too.
  const parts = [clause(own?.replace(/^The copy is message \S+$/, '')), copied, refused];
  return parts.map((part) => (part === undefined || text.includes(part) ? '' : `, ${part}`)).join('');
}

function shortened(steps: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (steps.length <= MAX_STEPS) return steps;
  const half = MAX_STEPS / 2;
  return [...steps.slice(0, half), [`… ${steps.length - MAX_STEPS} more …`], ...steps.slice(-half)];
}

function inWords(state: string): string {
  return state === 'none' ? 'without a subscription' : state;
}

/** Counts of messages: "5 messages: 3 on orders (2 processed, 1 parked), 2 on payments (2 without a subscription)". */
export function seenOf(rows: readonly MessageRow[]): string {
  if (rows.length === 0) return 'no message';
  const topics = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const states = topics.get(row.topic) ?? new Map<string, number>();
    const state = worstState(row);
    topics.set(row.topic, states.set(state, (states.get(state) ?? 0) + 1));
  }
  const parts = [...topics].map(([topic, states]) => {
    const counts = [...states].map(([state, count]) => `${count} ${inWords(state)}`);
    const sum = [...states.values()].reduce((total, count) => total + count, 0);
    return `${sum} on ${printable(topic)} (${counts.join(', ')})`;
  });
  return `${counted(rows.length, 'message')}: ${parts.join(', ')}`;
}
