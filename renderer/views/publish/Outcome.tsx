/** Preview of what apps would get of a draft: the route at each subscription, and the event. Nothing is published for it. */
import { useEffect, useState, type ReactElement } from 'react';
import type { Result } from '../../../core/contract/console.ts';
import { clause } from '../../../core/contract/error-text.ts';
import { theAppFirst } from '../../../core/contract/app-text.ts';
import { firstOf } from '../../../core/contract/list-text.ts';
import type { PublishParams } from '../../../core/contract/publish.ts';
import { routeSentence } from '../../components/detail/RouteTab.tsx';
import { fill } from '../../copy/fill.ts';
import { OUTCOME } from '../../copy/publish.ts';
import { bytesOfBase64, prettyJson } from '../../format/body.ts';
import { size } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useConsole, useOpenings, useResource } from '../../state/context.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import { asFailure } from '../../state/resource.ts';
import { blockingMistakes, templateOf } from './single-request.ts';
import css from './SingleForm.module.css';

const REST_MS = 250;
/** Maximum length of data with a preview: at each pause in typing, all of it goes to the host and back. */
const MAX_LENGTH = 100_000;
/** Apps that a sentence names. */
const MAX_NAMED = 3;

type Foreseen = Result<'messages.preview'>;
type Target = Pick<PublishParams, 'topic' | 'pubsubname'>;
type Outcome =
  /** The answer stays in sight while the next one is awaited, so it has the target that it is about. */
  | { readonly foreseen: Foreseen; readonly target: Target }
  /** Text of a refusal of the host, or of a failure that says nothing about the publish. */
  | { readonly refusal: string }
  | { readonly failure: string };

/** Codes of calls that the host has not answered. */
const UNANSWERED: readonly string[] = ['CONNECTION_LOST', 'NO_ANSWER'];

function failedOutcome(reason: unknown): Outcome {
  const { code, message } = asFailure(reason);
  return UNANSWERED.includes(code) ? { failure: message } : { refusal: message };
}

/** Why there is no preview; undefined: the host can be asked. */
function whyNoOutcome(draft: SingleDraft): string | undefined {
  const length = draft.data.length + (draft.file?.base64.length ?? 0);
  if (length > MAX_LENGTH) return OUTCOME.long;
  if (draft.pubsubname === '' || draft.topic === '') return OUTCOME.noTarget;
  return blockingMistakes(draft)[0]?.text;
}

/** Asks the host after a pause in typing, and again when a subscription to the component changes. */
function useOutcome(draft: SingleDraft, isOff: boolean): Outcome | undefined {
  const { call, saved, topology } = useConsole();
  const openings = useOpenings();
  const { value: requests } = useResource(saved.requests);
  const { value: served } = useResource(topology.subscriptions);
  const [outcome, setOutcome] = useState<Outcome>();
  const asked = isOff ? undefined : JSON.stringify(templateOf(draft));
  // Lags and counts change all the time; only what decides about a route asks again.
  const routes = JSON.stringify(
    (served?.items ?? [])
      .filter(({ pubsubname }) => pubsubname === draft.pubsubname)
      .map(({ appId, topic, rules, rawPayload, state }) => [appId, topic, rules, rawPayload, state]),
  );
  const variables = JSON.stringify(requests?.variables);
  useEffect(() => {
    if (asked === undefined) return undefined;
    let isCurrent = true;
    const template: PublishParams = JSON.parse(asked);
    const ask = async (): Promise<Foreseen> => {
      if (!asked.includes('{{')) return call('messages.preview', template);
      const { request } = await call('requests.resolve', { request: template });
      return call('messages.preview', request);
    };
    const timer = setTimeout(() => {
      ask().then(
        (foreseen) => isCurrent && setOutcome({ foreseen, target: template }),
        (reason: unknown) => isCurrent && setOutcome(failedOutcome(reason)),
      );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [asked, call, openings, routes, variables]);
  return asked === undefined ? undefined : outcome;
}

interface OutcomeProps {
  readonly draft: SingleDraft;
}

/** The preview beside the form of a wide window. */
export function OutcomeSide({ draft }: OutcomeProps): ReactElement {
  return (
    <section className={css.outcome} aria-label={OUTCOME.title}>
      <h2>{OUTCOME.title}</h2>
      <Foresight draft={draft} />
    </section>
  );
}

/** The preview as one line of the form, which opens. */
export function OutcomeLine({ draft }: OutcomeProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={css.preview} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={css.muted}>{OUTCOME.title}</summary>
      {isOpen && <Foresight draft={draft} />}
    </details>
  );
}

function Foresight({ draft }: OutcomeProps): ReactElement {
  const off = whyNoOutcome(draft);
  const outcome = useOutcome(draft, off !== undefined);
  if (off !== undefined) return <p className={css.muted}>{off}</p>;
  if (outcome === undefined) return <p className={css.muted}>{OUTCOME.loading}</p>;
  if ('failure' in outcome) return <p className={css.muted}>{outcome.failure}</p>;
  if ('refusal' in outcome)
    return <p className={css.bad}>{fill(OUTCOME.refused, { message: clause(outcome.refusal) })}</p>;
  return (
    <div className={css.foreseen}>
      {/* The event has a new id and time after each pause in typing, so it is not announced. */}
      <div role="status">
        <Receivers target={outcome.target} foreseen={outcome.foreseen} />
      </div>
      <ForeseenEvent foreseen={outcome.foreseen} />
    </div>
  );
}

interface ForeseenProps {
  readonly foreseen: Foreseen;
}

/** Text for an event that no known subscription takes: an app that has not reported its subscriptions may still get it. */
function Nobody({ topic, pubsub }: { readonly topic: string; readonly pubsub: string }): ReactElement {
  const { value } = useResource(useConsole().topology.subscriptions);
  const silent = (value?.discovery ?? []).filter(({ state }) => state !== 'done').map(({ appId }) => appId);
  const text = silent.length === 0 ? OUTCOME.nobody : OUTCOME.nobodyYet;
  const [first] = silent;
  const apps = first !== undefined && silent.length === 1 ? theAppFirst(first) : firstOf(silent, MAX_NAMED);
  return <p className={css.warning}>{fill(text, { topic, pubsub, App: apps, n: silent.length })}</p>;
}

interface ReceiversProps extends ForeseenProps {
  readonly target: Target;
}

/** One line for each subscription, with its route. */
function Receivers({ target, foreseen: { subscriptions } }: ReceiversProps): ReactElement {
  const { topic, pubsubname: pubsub } = target;
  if (subscriptions.length === 0) return <Nobody topic={visibleShort(topic)} pubsub={pubsub} />;
  return (
    <ul aria-label={OUTCOME.receivers} className={css.receivers}>
      {subscriptions.map((each) => (
        <li key={`${each.appId} ${each.source} ${each.topic}`}>
          <strong>
            <bdi>{each.appId}</bdi>
          </strong>
          {': '}
          {routeSentence(each)}
          {each.raw && !each.bulk && ` ${OUTCOME.takesRaw}`}
        </li>
      ))}
    </ul>
  );
}

/** What a CloudEvents library in an app would refuse the event for. The sidecar delivers it all the same. */
function LibraryProblems({ problems }: Pick<Foreseen, 'problems'>): ReactElement | null {
  if (problems.length === 0) return null;
  return (
    <div className={css.warning}>
      <p>{OUTCOME.notValid}</p>
      <ul aria-label={OUTCOME.problems}>
        {problems.map(({ field, message }) => (
          <li key={`${field ?? ''} ${message}`}>{visibleShort(message)}</li>
        ))}
      </ul>
    </div>
  );
}

function ForeseenEvent({ foreseen: { text, base64, flags, problems } }: ForeseenProps): ReactElement {
  return (
    <>
      <LibraryProblems problems={problems} />
      {flags.map((flag) => (
        <p key={flag} className={css.warning}>
          {flag}
        </p>
      ))}
      {text === undefined ? (
        <p>{fill(OUTCOME.bytes, { size: size(bytesOfBase64(base64 ?? '').length) })}</p>
      ) : (
        <pre className={css.event} aria-label={OUTCOME.event} tabIndex={0}>
          {prettyJson(text) ?? text}
        </pre>
      )}
      <p className={css.muted}>{OUTCOME.sample}</p>
    </>
  );
}
