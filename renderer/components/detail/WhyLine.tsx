/** One sentence under the state that explains it, with the rule. */
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { addressPart } from '../../../core/contract/address-part.ts';
import type { Result } from '../../../core/contract/console.ts';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { isNearTopic } from '../../../core/contract/near-topic.ts';
import { isDeliveredHereAlone, takersOf } from '../../../core/contract/subscribed-now.ts';
import type { AppRow, ComponentRow } from '../../../core/contract/subscription.ts';
import { theApp, theApps } from '../../../core/contract/app-text.ts';
import { fill } from '../../copy/fill.ts';
import { WHY } from '../../copy/why.ts';
import { discoveryText } from '../../format/discovery.ts';
import { listReasons } from '../../format/list-reasons.ts';
import { callsOf, tellingTransition } from '../../format/calls.ts';
import { nameOfHold } from '../../format/holders.ts';
import { waitsForComponent } from '../../format/row.ts';
import { routeNowText } from '../../format/route-now.ts';
import { publishAgainText, turnText } from '../../format/turn.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useConsole, useResource } from '../../state/context.ts';
import { useNow } from '../clock.ts';
import { clockSeconds } from '../../format/clock-time.ts';
import { CauseLine } from './CauseLine.tsx';
import type { DeliveryTabProps } from './AttemptsTab.tsx';
import css from './WhyLine.module.css';

/** The reason: a delivery's last meaningful transition, or a text for a message without one. */
export function WhyLine({ message, delivery }: DeliveryTabProps): ReactElement | null {
  const { readOnly } = useConsole();
  if (delivery === undefined) return <WithoutDelivery message={message} />;
  if (delivery.heldAt === 'response') return <AnswerHeld delivery={delivery} />;
  const transition = tellingTransition(delivery);
  // A delivery whose rules wait for their turn has no transition yet.
  if (transition === undefined)
    return (
      <div className={css.why}>
        <WaitLine message={message} delivery={delivery} />
      </div>
    );
  const isRunningAgain = transition !== delivery.transitions.at(-1);
  return (
    <div className={css.why}>
      {/* What can be done comes first: the head of a message has room for two lines. */}
      {message.tap === undefined && <RouteLine delivery={delivery} />}
      <p>
        {isRunningAgain &&
          `${fill(readOnly === undefined ? WHY.runsAgain : WHY.ranThen, { n: callsOf(delivery).at(-1)?.n })} `}
        <CauseLine transition={transition} delivery={delivery} message={message} />
      </p>
      {message.tap === undefined && <WaitLine message={message} delivery={delivery} />}
    </div>
  );
}

/** Which hold keeps back an answer. No attempt runs then, and the transition before the call is not why it stands still. */
function AnswerHeld({ delivery }: { readonly delivery: Delivery }): ReactElement {
  const { holds, readOnly } = useConsole();
  const { value } = useResource(holds.list);
  const hold = nameOfHold(value?.items, delivery.heldBy);
  const present = hold === undefined ? WHY.answerHeld : WHY.answerHeldBy;
  const text = fill(readOnly === undefined ? present : WHY.answerHeldThen, {
    hold,
    n: callsOf(delivery).at(-1)?.n,
  });
  return <p className={css.why}>{text}</p>;
}

/** What is wrong with the route of a delivery by the subscriptions of now. */
function RouteLine({ delivery }: { readonly delivery: Delivery }): ReactElement | null {
  const { topology, readOnly } = useConsole();
  const { value: subscriptions } = useResource(topology.subscriptions);
  const { value: apps } = useResource(topology.apps);
  // The topology of now says nothing about a recording.
  if (subscriptions === undefined || apps === undefined || readOnly !== undefined) return null;
  const text = routeNowText({ apps: apps.items, subscriptions: subscriptions.items }, delivery);
  return text === undefined ? null : <p>{text}</p>;
}

interface WaitLineProps {
  readonly message: Pick<MessageDetail, 'expiresAt'>;
  readonly delivery: Delivery;
}

/** Reason why a delivery waits: its app, otherwise its turn. */
function WaitLine({ message, delivery }: WaitLineProps): ReactElement | null {
  const { topology, readOnly } = useConsole();
  const { value } = useResource(topology.apps);
  // The apps of now say nothing about a recording, which has no queue of its time either.
  const then = readOnly === undefined ? undefined : waitedThen(delivery);
  const illness =
    value === undefined || readOnly !== undefined ? undefined : illnessOf(value.items, delivery);
  const text = then ?? illness ?? turnText(delivery);
  const over = useTimeOver(delivery, message);
  return text === undefined ? null : (
    <p className={css.near}>
      {text}
      {over !== undefined &&
        ` ${fill(WHY.waitingExpired, { time: clockSeconds(over), app: delivery.appId, n: 1 })}`}
    </p>
  );
}

/**
 * When the time to live of a delivery ended that only the missing list of its app keeps from expiring; undefined: it has not. A retry by hand
 * waives a time to live that has passed.
 */
function useTimeOver(
  { turn, transitions }: Pick<Delivery, 'turn' | 'transitions'>,
  { expiresAt }: Pick<MessageDetail, 'expiresAt'>,
): string | undefined {
  const { readOnly } = useConsole();
  const mayBe = readOnly === undefined && turn?.reason === 'discovery';
  const now = useNow(mayBe && expiresAt !== undefined);
  const isOver = mayBe && isPast(expiresAt, now) && transitions.every(({ rule }) => rule !== 'user.retry');
  return isOver ? expiresAt : undefined;
}

/** Reason why a recorded delivery had no attempt yet; undefined: its state shows it. */
function waitedThen({ state, waitsFor }: Pick<Delivery, 'state' | 'waitsFor'>): string | undefined {
  return state === 'queued' && waitsFor === undefined ? WHY.waitedThen : undefined;
}

/** Problems of an app that is checked, and of one that has not reported its subscriptions. */
const ILL: ReadonlySet<string | undefined> = new Set(['not-healthy']);
const NOT_ASKED: ReadonlySet<string | undefined> = new Set([
  'nobody-listens',
  'discovery-slow',
  'discovery-failed',
]);

/** Problem of an app for which a delivery waits: it was removed, or its health; undefined: none. */
export function illnessOf(
  apps: readonly Pick<AppRow, 'appId' | 'problems'>[],
  { appId, state, turn }: Pick<Delivery, 'appId' | 'state' | 'turn'>,
): string | undefined {
  if (state !== 'queued' && state !== 'retrying') return undefined;
  const instances = apps.filter((app) => app.appId === appId);
  if (instances.length === 0) return fill(WHY.appGone, { app: appId });
  const codes = turn?.reason === 'discovery' ? NOT_ASKED : ILL;
  return instances.flatMap((app) => app.problems).find(({ code }) => codes.has(code))?.message;
}

function WithoutDelivery({ message }: { readonly message: MessageDetail }): ReactElement {
  const { holds, readOnly } = useConsole();
  const { value: known } = useResource(holds.list);
  const { stage, heldBy } = message;
  if (stage === undefined) return <NobodyGotIt message={message} />;
  if (waitsForComponent(message)) return <WaitsForComponent message={message} />;
  if (stage === 'waiting') return <WaitsForApp message={message} />;
  const hold = known?.items.find(({ holdId }) => holdId === heldBy);
  const name = hold?.name ?? hold?.filter;
  const words: Readonly<Record<typeof stage, string>> = {
    refused: WHY.refused,
    held: readOnly === undefined ? heldText(name) : WHY.heldThen,
    dropped: readOnly === undefined ? WHY.dropped : WHY.droppedThen,
    expired: WHY.expired,
  };
  const ids = {
    refused: undefined,
    held: 'hold.matched',
    dropped: 'user.drop',
    expired: 'ttl.expired',
  } as const;
  const rule = ids[stage];
  return (
    <p className={css.why}>
      {words[stage]} {rule !== undefined && <code>{rule}</code>}
    </p>
  );
}

function heldText(name: string | undefined): string {
  return name === undefined || name === '' ? WHY.heldNoName : fill(WHY.held, { hold: name });
}

/** Text for a message that a restart has to publish again: what its component says, and when it is tried again. */
function WaitsForComponent({
  message: { pubsubname, publishAgain },
}: {
  readonly message: Pick<MessageDetail, 'pubsubname' | 'publishAgain'>;
}): ReactElement {
  const { readOnly } = useConsole();
  if (readOnly !== undefined)
    return <p className={css.why}>{fill(WHY.waitingComponentThen, { pubsub: pubsubname })}</p>;
  const text = publishAgain === undefined ? undefined : publishAgainText(publishAgain);
  return (
    <div className={css.why}>
      <p>{fill(WHY.waitingComponent, { pubsub: pubsubname })}</p>
      {text !== undefined && <p className={css.near}>{text}</p>}
    </div>
  );
}

/** Text for a message whose receivers are not known yet: which app has not answered, and why. */
function WaitsForApp({
  message: { waitingFor, expiresAt },
}: {
  readonly message: Pick<MessageDetail, 'waitingFor' | 'expiresAt'>;
}): ReactElement {
  const { topology, readOnly } = useConsole();
  const { value } = useResource(topology.subscriptions);
  const known = readOnly === undefined ? (value?.discovery ?? []) : [];
  const untold = known.filter(({ appId }) => waitingFor?.includes(appId));
  const now = useNow(readOnly === undefined && expiresAt !== undefined);
  return (
    <div className={css.why}>
      <p>
        {fill(readOnly === undefined ? WHY.waiting : WHY.waitingThen, {
          app: theApps(waitingFor ?? []),
          n: waitingFor?.length,
        })}
      </p>
      {readOnly === undefined && isPast(expiresAt, now) && (
        <p>
          {fill(WHY.waitingExpired, {
            time: clockSeconds(expiresAt),
            app: theApps(waitingFor ?? []),
            n: waitingFor?.length,
          })}
        </p>
      )}
      {untold.map(({ appId, ...state }) => (
        <p key={appId} className={css.near}>
          {state.state === 'waiting' && state.error === undefined
            ? fill(WHY.waitingPort, { app: theApp(appId), url: state.url })
            : discoveryText(state)}
        </p>
      ))}
    </div>
  );
}

function isPast(expiresAt: string | undefined, nowMs: number): expiresAt is string {
  return expiresAt !== undefined && nowMs >= Date.parse(expiresAt);
}

/** Text for a message without a subscription, with what comes nearest. */
function NobodyGotIt({
  message: { topic, pubsubname, tap, expectedBy, deadLetterOf, replayedAs },
}: {
  readonly message: Pick<
    MessageDetail,
    'topic' | 'pubsubname' | 'tap' | 'expectedBy' | 'deadLetterOf' | 'replayedAs'
  >;
}): ReactElement {
  const { topology, readOnly } = useConsole();
  const { value: all } = useResource(topology.subscriptions);
  const { value: components } = useResource(topology.components);
  const { value: allApps } = useResource(topology.apps);
  const mayUse = usersOf(components?.items ?? [], pubsubname);
  const value = all && { ...all, discovery: all.discovery.filter(mayUse) };
  const apps = allApps?.items.filter(mayUse);
  const takers = value === undefined ? [] : takersOf(value.items, topic, pubsubname);
  const unused = value === undefined ? [] : unusedOf(value.items, components?.files ?? [], topic, pubsubname);
  if (tap !== undefined) return <p className={css.why}>{fill(WHY.unseen, { app: theApp(tap) })}</p>;
  if (expectedBy !== undefined) {
    const expected = { app: theApps(expectedBy), topic: visibleShort(topic), pubsub: pubsubname };
    return (
      <p className={css.why}>{fill(readOnly === undefined ? WHY.expected : WHY.expectedThen, expected)}</p>
    );
  }
  const facts = { app: theApps(takers), topic: visibleShort(topic), pubsub: pubsubname };
  // The subscriptions of now say nothing about a recording.
  if (readOnly !== undefined) return <p className={css.why}>{fill(WHY.noneThen, facts)}</p>;
  if (replayedAs !== undefined)
    return (
      <p className={css.why}>
        {WHY.replayedAs} <Link href={`/messages?m=${addressPart(replayedAs)}`}>{replayedAs}</Link>.
      </p>
    );
  const near = value === undefined ? [] : nearest(value.items, topic, pubsubname);
  const reasons = listReasons(value, takers.length > 0 ? [] : (apps ?? []), topic);
  const text =
    takers.length > 0
      ? notHandedText(components?.items ?? [], pubsubname)
      : noneText(value, {
          unused,
          hasMistake: reasons.hasMistake,
          isCopy: deadLetterOf !== undefined,
          differsInCase: isInOtherCase(value?.items ?? [], topic, pubsubname),
        });
  return (
    <div className={css.why}>
      {takers.length === 0 && [...reasons.first, ...near].map((each) => <p key={each}>{each}</p>)}
      <p>{fill(text, facts)}</p>
      {[...unused, ...(takers.length > 0 ? near : []), ...reasons.later].map((sentence) => (
        <p key={sentence} className={css.near}>
          {sentence}
        </p>
      ))}
      {/* The rule comes last, after what can be changed: the head of a message has room for two lines. */}
      {takers.length === 0 && (
        <p>
          <abbr className={css.rule} title={WHY.noneRuleText}>
            {WHY.noneRule}
          </abbr>
        </p>
      )}
    </div>
  );
}

/** Why a message that a subscription could take was not delivered here: a broker of its own may still have it. */
export function notHandedText(
  components: readonly Pick<ComponentRow, 'name' | 'type' | 'insteadOf'>[],
  pubsubname: string,
): string {
  return isDeliveredHereAlone(components, pubsubname) ? WHY.notHanded : WHY.notHandedHere;
}

/** Tells whether an app may use a component: one that `scopes` leave out cannot have a subscription there, whatever its list says. */
export function usersOf(
  components: readonly Pick<ComponentRow, 'name' | 'scopes'>[],
  pubsubname: string,
): (app: Pick<AppRow, 'appId'>) => boolean {
  const named = components.filter(({ name }) => name === pubsubname);
  return ({ appId }) =>
    named.length === 0 || named.some(({ scopes }) => scopes.length === 0 || scopes.includes(appId));
}

interface WhyNone {
  /** Unused subscriptions to the topic. */
  readonly unused: readonly string[];
  /** Whether a subscription that an app reported cannot be used. */
  readonly hasMistake: boolean;
  /** Whether the message is a copy on a dead-letter topic. */
  readonly isCopy: boolean;
  /** Whether a subscription differs in upper and lower case alone. */
  readonly differsInCase: boolean;
}

/** Why no subscription includes a topic. Nothing is said about all apps while the subscriptions of one are unknown. */
export function noneText(
  known: Pick<Result<'subscriptions.list'>, 'items' | 'discovery'> | undefined,
  { unused, hasMistake, isCopy, differsInCase }: WhyNone,
): string {
  if (unused.length > 0 || (hasMistake && !isCopy)) return WHY.noneUsed;
  if (known === undefined) return WHY.none;
  if (known.discovery.some(({ state }) => state !== 'done')) return WHY.noneKnown;
  if (isCopy) return WHY.noneCopy;
  if (known.items.length === 0) return WHY.noneAtAll;
  return differsInCase ? WHY.noneInCase : WHY.none;
}

/** Whether a subscription has the names of a message but for upper and lower case. */
export function isInOtherCase(
  items: Result<'subscriptions.list'>['items'],
  topic: string,
  pubsubname: string,
): boolean {
  const wanted = [topic.toLowerCase(), pubsubname.toLowerCase()];
  return items.some(
    (row) =>
      row.topic.toLowerCase() === wanted[0] &&
      row.pubsubname.toLowerCase() === wanted[1] &&
      (row.topic !== topic || row.pubsubname !== pubsubname),
  );
}

/** Unused subscriptions to exactly this component and topic, each with the reason. */
export function unusedOf(
  items: Result<'subscriptions.list'>['items'],
  files: Result<'components.list'>['files'],
  topic: string,
  pubsubname: string,
): readonly string[] {
  const rows = items.filter(
    (row) => row.topic === topic && row.pubsubname === pubsubname && row.state !== 'active',
  );
  const documents = files.flatMap(({ file, documents: all }) =>
    all
      .filter(({ used, of }) => !used && of?.topic === topic && of.pubsubname === pubsubname)
      // A document that is in the list already is left out.
      .filter(() => !rows.some((row) => row.file === file))
      .map(({ line, reason }) => fill(WHY.unusedFile, { file, line, reason })),
  );
  const reported = rows.map(({ appId, file, reason, state }) =>
    fill(file === undefined ? WHY.inactive : WHY.inactiveFile, {
      app: theApp(appId),
      file,
      reason: reason ?? state,
    }),
  );
  return [...reported, ...documents];
}

/** Subscriptions whose topic or component is similar to the message's. */
export function nearest(
  items: Result<'subscriptions.list'>['items'],
  topic: string,
  pubsubname: string,
): readonly string[] {
  const sentences = items.flatMap((row) => {
    const isTopic = row.topic === topic;
    if (isTopic && row.pubsubname === pubsubname) return [];
    if (isTopic) return [fill(WHY.nearComponent, { pubsub: row.pubsubname })];
    return isNearTopic(row.topic, topic)
      ? [fill(WHY.nearTopic, { topic: row.topic, pubsub: row.pubsubname })]
      : [];
  });
  return [...new Set(sentences)];
}
