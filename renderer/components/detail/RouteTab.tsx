/** The route that the message takes at every subscription of its topic, with reasons. */
import { theApp } from '../../../core/contract/app-text.ts';
import { useEffect, useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { Result, RouteExplanation } from '../../../core/contract/console.ts';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { whyNotRead } from '../../format/why-not-read.ts';
import { nobodyGot } from '../../../core/contract/attention.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { DataTable, type TableRow } from '../DataTable.tsx';
import { TextField } from '../Fields.tsx';
import { Empty, Failed, Loading } from '../States.tsx';
import { ROUTE } from '../../copy/detail.ts';
import { NOT_CHOSEN } from '../../copy/why.ts';
import { fill } from '../../copy/fill.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { visibleShort } from '../../format/visible-text.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { useConsole, useOpenings } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import type { DeliveryTabProps } from './AttemptsTab.tsx';
import css from './RouteTab.module.css';

const REST_MS = 150;

/** The explanation for the message, or for the same one with another type. */
export function RouteTab({ message, delivery }: DeliveryTabProps): ReactElement {
  const { call, recordingId } = useConsole();
  const openings = useOpenings();
  const [type, setType] = useState('');
  const [answer, setAnswer] = useState<Result<'routes.explain'>>();
  const [failure, setFailure] = useState<RpcFailure>();
  const { pubsubname, topic, envelope, data, dataBase64, messageId, payloadApart } = message;

  useEffect(() => {
    let isCurrent = true;
    const own = type === '' ? (envelope ?? data ?? dataBase64) : { ...envelope, type };
    // The host has what is too long to be sent there again.
    const asked =
      payloadApart === true
        ? { messageId, event: type === '' ? {} : { type }, ...withoutUndefined({ recordingId }) }
        : { event: own };
    const timer = setTimeout(
      () => {
        call('routes.explain', { pubsubname, topic, ...asked }).then(
          (next) => {
            if (!isCurrent) return;
            setAnswer(next);
            setFailure(undefined);
          },
          (reason: unknown) => {
            if (isCurrent) setFailure(asFailure(reason));
          },
        );
      },
      type === '' ? 0 : REST_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- an event never changes; its message is asked for again and again
  }, [call, messageId, pubsubname, topic, type, openings]);

  if (failure !== undefined) {
    return <Failed text={fill(ROUTE.failed, { message: whyNotRead(failure) })} />;
  }
  if (answer === undefined) return <Loading text={ROUTE.loading} rows={3} />;
  return (
    <div className={css.tab}>
      <RouteThen message={message} delivery={delivery} explanations={answer.subscriptions} />
      {answer.subscriptions.length > 0 &&
        inOrderFor(delivery, answer.subscriptions).map((each) => (
          <Explained
            key={`${each.appId} ${each.source} ${each.topic}`}
            explanation={each}
            note={type === '' ? routeNote(message, each, recordingId !== undefined) : undefined}
            isTaken={type === '' && recordingId === undefined && isTaken(message, each)}
          />
        ))}
      {answer.subscriptions.length > 0 && (
        <div className={css.try}>
          <TextField label={ROUTE.tryType} hint={ROUTE.tryHint} mono value={type} onChange={setType} />
        </div>
      )}
    </div>
  );
}

/**
 * Text for a topic without a subscription; an app that was not asked yet may have one, a delivery waits for
 * the one that it was made for or keeps the route of one that is gone, and another sidecar has its own. The
 * line above the tabs says why.
 */
export function noRoute(
  { stage, tap, topic }: Pick<MessageDetail, 'stage' | 'tap' | 'topic'>,
  delivery: Pick<Delivery, 'appId' | 'route' | 'state' | 'waitsFor'> | undefined,
): string {
  if (delivery?.state === 'queued' && delivery.waitsFor !== undefined)
    return fill(delivery.route.path === '' ? ROUTE.waitsForApp : ROUTE.waitsWithRoute, {
      app: theApp(delivery.appId),
      topic: visibleShort(delivery.waitsFor.topic),
      path: delivery.route.path,
    });
  if (tap !== undefined) return ROUTE.ofItsSidecar;
  if (stage === 'waiting' || delivery?.state === 'queued') return ROUTE.notKnownYet;
  return fill(ROUTE.noSubscription, { topic: visibleShort(topic) });
}

interface RouteThenProps extends DeliveryTabProps {
  readonly explanations: readonly Explains[];
}

/** What is known without the current rules: the route that a delivery keeps, or why there is none. */
function RouteThen({ message, delivery, explanations }: RouteThenProps): ReactElement | null {
  const { recordingId } = useConsole();
  const then = routeThen(message, delivery, explanations);
  if (then === undefined || delivery === undefined)
    return explanations.length === 0 ? <Empty title={noRoute(message, delivery)} /> : null;
  const { appId, subscription } = delivery;
  const { pubsubname: pubsub, topic, source } = subscription;
  const now = recordingId === undefined ? ROUTE.notSubscribedNow : ROUTE.rulesNotRecorded;
  return (
    <section className={css.part} aria-label={fill(ROUTE.then, { app: appId })}>
      <p className={css.sentence}>{then}</p>
      {source !== 'binding' && (
        <p className={css.about}>
          {appId} · {aboutText({ pubsub, topic, source, ...formOf(subscription) })}
        </p>
      )}
      <p>{fill(now, { app: theApp(appId), topic: visibleShort(topic), pubsub })}</p>
    </section>
  );
}

function formOf({ settings }: Pick<Delivery['subscription'], 'settings'>): {
  readonly raw: boolean;
  readonly bulk: boolean;
} {
  return { raw: settings?.rawPayload === true, bulk: settings?.bulk !== undefined };
}

/**
 * The route that a delivery took by a subscription that is not there now; undefined: the subscription is there, or the route is still to be
 * chosen.
 */
export function routeThen(
  { stage, tap }: Pick<MessageDetail, 'stage' | 'tap'>,
  delivery: TakenRoute | undefined,
  explanations: readonly Explains[],
): string | undefined {
  if (delivery === undefined || tap !== undefined) return undefined;
  // A message that waits for one app may have deliveries to others, whose routes are known.
  if (stage !== undefined && delivery.route.path === '') return undefined;
  if (delivery.state === 'queued' && (delivery.waitsFor !== undefined || delivery.route.path === ''))
    return undefined;
  return explanations.some((each) => isOf(delivery, each)) ? undefined : takenSentence(delivery);
}

/** Which rule has chosen the route of a delivery. */
function takenSentence({ route: { path, rule }, transitions }: TakenRoute): string {
  if (path === '')
    return transitions.some(({ rule: cause }) => cause === 'policy.no-route')
      ? ROUTE.noneThen
      : ROUTE.noneChosen;
  if (rule === undefined) return fill(ROUTE.defaultThen, { path });
  const text = rule.match === '' ? ROUTE.always : ROUTE.matched;
  return fill(text, { n: rule.index + 1, match: rule.match, path });
}

/** Whether an explanation is about the subscription of a delivery. */
function isOf({ appId, subscription }: RoutedDelivery, explanation: Explains): boolean {
  const { pubsubname, topic, source } = subscription;
  return (
    appId === explanation.appId &&
    pubsubname === explanation.pubsubname &&
    topic === explanation.topic &&
    source === explanation.source
  );
}

type Explains = Pick<RouteExplanation, 'appId' | 'pubsubname' | 'topic' | 'source' | 'path' | 'unused'>;
type RoutedDelivery = Pick<Delivery, 'appId' | 'route' | 'state'> & {
  readonly subscription: Pick<Delivery['subscription'], 'pubsubname' | 'topic' | 'source'>;
};

type TakenRoute = RoutedDelivery &
  Pick<Delivery, 'waitsFor'> & {
    readonly transitions: readonly Pick<Delivery['transitions'][number], 'rule'>[];
  };

interface RoutedMessage extends Pick<MessageDetail, 'stage' | 'tap' | 'expectedBy'> {
  readonly deliveries: readonly RoutedDelivery[];
}

/** The explanations, that of the chosen delivery first. */
export function inOrderFor<T extends Explains>(
  delivery: RoutedDelivery | undefined,
  explanations: readonly T[],
): readonly T[] {
  if (delivery === undefined) return explanations;
  return explanations.toSorted((a, b) => Number(isOf(delivery, b)) - Number(isOf(delivery, a)));
}

/**
 * The host explains by the current rules. The note says so where the delivery took another route, and in a recording, which
 * has no rules; undefined: the explanation fits, or the route is not known yet.
 */
export function routeNote(
  message: RoutedMessage,
  explanation: Explains,
  isRecorded: boolean,
): string | undefined {
  const { deliveries } = message;
  const delivery = deliveries.find((each) => isOf(each, explanation));
  const path = delivery?.route.path ?? '';
  if (isRecorded) return path === '' ? ROUTE.ofThisSessionOnly : fill(ROUTE.ofThisSession, { path });
  if (deliveries.length === 0 && nobodyGot(message))
    return explanation.unused === undefined ? ROUTE.ofReplay : undefined;
  // A message that a person dropped while it was held, for example, has never had a route.
  if (deliveries.length === 0 && isOverBefore(message) && explanation.unused === undefined)
    return ROUTE.ofReplay;
  if (delivery === undefined || path === (explanation.path ?? '')) return undefined;
  if (path !== '') {
    const { rule } = delivery.route;
    if (rule === undefined || rule.match === '') return fill(ROUTE.wasOther, { path });
    return fill(ROUTE.wasOtherByRule, { path, n: rule.index + 1, match: rule.match });
  }
  return delivery.state === 'queued' ? undefined : ROUTE.wasNone;
}

/** Whether a message ended before any app could get it. */
function isOverBefore({ stage }: Pick<MessageDetail, 'stage'>): boolean {
  return stage === 'dropped' || stage === 'expired' || stage === 'refused';
}

/** Whether a delivery of the message has this route; otherwise the rules say only what they would choose. */
export function isTaken({ deliveries }: Pick<RoutedMessage, 'deliveries'>, explanation: Explains): boolean {
  const delivery = deliveries.find((each) => isOf(each, explanation));
  return delivery !== undefined && delivery.route.path === explanation.path;
}

/** The sentence that explains the route; a subscription that is not used gets nothing, whatever its rules say. */
export function routeSentence(explanation: RouteExplanation): string {
  const { unused } = explanation;
  const sentence = ruleSentence(explanation);
  return unused === undefined ? sentence : fill(ROUTE.unused, { reason: unused, sentence });
}

function ruleSentence({ rules, path, unreadable }: RouteExplanation): string {
  if (unreadable !== undefined) return fill(ROUTE.unreadable, { reason: unreadable });
  const broken = rules.find(({ value }) => value === 'error');
  if (broken !== undefined && path === undefined) {
    const { index, error, column } = broken;
    return fill(column === undefined ? ROUTE.error : ROUTE.errorAt, { n: index + 1, error, col: column });
  }
  const chosen = rules.find((rule) => rule.chosen);
  if (chosen !== undefined) {
    const text = chosen.match === '' ? ROUTE.always : ROUTE.matched;
    return fill(text, { n: chosen.index + 1, match: chosen.match, path: chosen.path });
  }
  if (path === undefined) return ROUTE.none;
  return fill(rules.length === 0 ? ROUTE.onlyDefault : ROUTE.default, { path });
}

/**
 * The rules and the default route.
 * @param taken false: no delivery of the message has this route, so they say what would happen, as those of an unused subscription do
 */
export function routeRows(
  { rules, default: fallback, unused }: RouteExplanation,
  taken: boolean,
): readonly TableRow[] {
  const isReal = taken && unused === undefined;
  const [chosen, used] = isReal ? [ROUTE.chosen, ROUTE.used] : [ROUTE.wouldBeChosen, ROUTE.wouldBeUsed];
  const rows: TableRow[] = rules.map((rule) => ({
    id: String(rule.index),
    isChosen: rule.chosen && isReal,
    isBad: rule.value === 'error',
    cells: [
      rule.index + 1,
      rule.match === '' ? ROUTE.noMatch : <MatchCell key="match" rule={rule} />,
      rule.value === 'error' ? fill(ROUTE.errorValue, { error: rule.error }) : rule.value,
      <code key="path">{rule.path}</code>,
      rule.chosen ? chosen : '',
    ],
  }));
  if (fallback !== undefined) {
    rows.push({
      id: 'default',
      isChosen: fallback.chosen && isReal,
      cells: [
        '–',
        ROUTE.defaultRow,
        fallback.chosen ? used : ROUTE.notUsed,
        <code key="path">{fallback.path}</code>,
        fallback.chosen ? chosen : '',
      ],
    });
  }
  return rows;
}

interface About {
  readonly pubsub: string;
  readonly topic: string;
  readonly source: RouteExplanation['source'];
  readonly raw: boolean;
  readonly bulk: boolean;
}

/** A subscription and how it takes events, in a few words. */
function aboutText({ pubsub, topic, source, raw, bulk }: About): string {
  return fill(ROUTE.about, {
    pubsub,
    topic,
    source: ROUTE.sources[source],
    form: raw ? ROUTE.rawForm : ROUTE.cloudEvents,
    bulk: bulk ? ROUTE.bulkForm : ROUTE.singleForm,
  });
}

interface ExplainedProps {
  readonly explanation: RouteExplanation;
  /** How the route of the message differs; undefined: it does not. */
  readonly note: string | undefined;
  readonly isTaken: boolean;
}

function Explained({ explanation, note, isTaken: taken }: ExplainedProps): ReactElement {
  const { appId, pubsubname, topic, source, raw, bulk, path } = explanation;
  return (
    <section className={css.part} aria-label={`${appId} ${topic}`}>
      {note !== undefined && <p>{note}</p>}
      <p className={css.sentence}>{routeSentence(explanation)}</p>
      <p className={css.about}>
        {appId} · {aboutText({ pubsub: pubsubname, topic, source, raw, bulk })}
      </p>
      <DataTable
        label={fill(ROUTE.table, { topic })}
        columns={[ROUTE.number, ROUTE.match, ROUTE.value, ROUTE.path, '']}
        rows={routeRows(explanation, taken)}
      />
      <WhyNotOthers explanation={explanation} />
      {path !== undefined && (
        <p>
          <Link href={`/messages?f=${addressPart(`route:${path}`)}`}>{ROUTE.filter}</Link>
        </p>
      )}
    </section>
  );
}

function MatchCell({ rule }: { readonly rule: RouteExplanation['rules'][number] }): ReactElement {
  return (
    <>
      <code>{rule.match}</code>
      {rule.reading !== undefined && <div>{rule.reading}</div>}
    </>
  );
}

/** One sentence for each rule that was not chosen; nothing if there is none. */
function WhyNotOthers({ explanation }: { readonly explanation: RouteExplanation }): ReactElement | null {
  const { rules, unreadable } = explanation;
  if (unreadable !== undefined) return null;
  const broken = rules.find(({ value }) => value === 'error');
  const notLooked = broken === undefined ? NOT_CHOSEN.notLooked : NOT_CHOSEN.notLookedAfterError;
  const fallback = explanation.default;
  const sentences = rules
    .filter(({ chosen, value }) => !chosen && value !== 'error')
    .map(({ index, match, value }) =>
      fill(value === 'false' ? NOT_CHOSEN.false : notLooked, {
        n: index + 1,
        match,
        broken: broken === undefined ? undefined : broken.index + 1,
      }),
    );
  if (fallback !== undefined && !fallback.chosen) {
    const text = broken === undefined ? NOT_CHOSEN.defaultNotUsed : NOT_CHOSEN.defaultAfterError;
    sentences.push(fill(text, { path: fallback.path }));
  }
  if (sentences.length === 0) return null;
  return (
    <ul aria-label={NOT_CHOSEN.label} className={css.others}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
