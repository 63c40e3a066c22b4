/** The subscriptions that the mock app serves, as JSON of its discovery route. */
import { useId, useRef, useState, type ReactElement } from 'react';
import { asSentence } from '../../../core/contract/error-text.ts';
import type { MockAppState } from '../../../core/contract/mock-app.ts';
import { PROFILES } from '../../../core/contract/profile.ts';
import type { Problem, WireSubscription } from '../../../core/contract/subscription.ts';
import { Button } from '../../components/Button.tsx';
import { cx } from '../../components/class-names.ts';
import { CodeBox } from '../../components/CodeBox.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { SERVED } from '../../copy/mock-app.ts';
import { reportDiscovered } from '../../format/discovered-text.ts';
import { otherProblems } from '../../format/served-problems.ts';
import { jsonMistake } from '../../../core/contract/json-position.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { useSelected } from '../../state/store.ts';
import css from './MockApp.module.css';
import { SubscriptionForm } from './SubscriptionForm.tsx';

/** Whether every element may be a subscription; the host checks the details. */
function isSubscriptions(value: unknown): value is readonly WireSubscription[] {
  return Array.isArray(value) && value.every((each: unknown) => typeof each === 'object' && each !== null);
}

/** The list of the text; undefined: fields cannot show it. */
function listOf(text: string): readonly WireSubscription[] | undefined {
  const value: unknown = JSON.parse(text);
  if (!isSubscriptions(value)) return undefined;
  const fits = value.every(
    ({ pubsubname, topic, routes }) =>
      typeof pubsubname === 'string' &&
      typeof topic === 'string' &&
      (routes === undefined || routes === null || routes.rules === undefined || Array.isArray(routes.rules)),
  );
  return fits ? value : undefined;
}

/** The topic of a component that is listed more than once; undefined: none is. */
function twiceIn(listed: readonly WireSubscription[] | undefined): WireSubscription | undefined {
  return listed?.find((one, index) =>
    listed.some(
      (other, place) => place < index && other.topic === one.topic && other.pubsubname === one.pubsubname,
    ),
  );
}

interface Served {
  /** Edited text that is not served yet. */
  readonly edited: string | undefined;
  readonly edit: (text: string | undefined) => void;
  /** Why the host refused it, until it is edited. */
  readonly refused: string | undefined;
  /** Problems that the host found in the served text, until it is edited. */
  readonly problems: readonly Problem[];
  readonly serve: (text: string) => Promise<void>;
}

function useServed({ appId }: MockAppState): Served {
  const { call, commands, mockApps, toasts, topology } = useConsole();
  const [edited, changeEdited] = useLeftState<string | undefined>(`served ${appId}`, undefined);
  const [refused, setRefused] = useState<string>();
  const [problems, setProblems] = useState<readonly Problem[]>([]);

  function edit(next: string | undefined): void {
    setRefused(undefined);
    setProblems([]);
    changeEdited(() => next);
  }

  async function serve(text: string): Promise<void> {
    setRefused(undefined);
    const value: unknown = JSON.parse(text);
    if (!isSubscriptions(value)) {
      setRefused(SERVED.notArray);
      return;
    }
    try {
      const answer = await commands.during('mockApp.setSubscriptions', () =>
        call('mockApp.setSubscriptions', { appId, subscriptions: value }),
      );
      setProblems(answer.problems);
      // What was typed before the host answered is still to be served.
      changeEdited((now) => (now === text ? undefined : now));
      mockApps.app.accept(answer);
      topology.onChange();
      reportDiscovered(toasts, answer.discovery);
    } catch (reason) {
      setRefused(asFailure(reason).message);
    }
  }

  return { edited, edit, refused, problems, serve };
}

/** Fields, editor, and the button that serves the text. */
export function SubscriptionsTab({ state }: { readonly state: MockAppState }): ReactElement {
  const { commands, connection } = useConsole();
  const profile = useSelected(connection, ({ system }) => system?.profile ?? 'sidecar');
  const served = JSON.stringify(state.subscriptions, null, 2);
  const { edited, edit, refused, problems, serve } = useServed(state);
  const text = edited ?? served;
  const mistake = jsonMistake(text);
  const listed = mistake === undefined ? listOf(text) : undefined;
  const twice = twiceIn(listed);
  const pending = useSelected(commands.store, (each) => each.pending.has('mockApp.setSubscriptions'));
  const problem = mistake === undefined ? refused : fill(SERVED.notJson, { ...mistake });
  const problemId = useId();
  const fields = useRef<HTMLElement>(null);

  /** Serves the text, unless a field has one that did not go into it. */
  function serveNow(): void {
    const wrong = fields.current?.querySelector<HTMLElement>('[data-unread]');
    if (wrong === undefined || wrong === null) void serve(text);
    else wrong.focus();
  }

  return (
    <div className={css.served}>
      <div className={cx(css.tab, css.scroll)}>
        <p className={css.muted}>
          {fill(SERVED.hint, { method: 'GET', path: PROFILES[profile].discoveryPath })}
        </p>
        {twice !== undefined && (
          <p role="status">{fill(SERVED.twice, { pubsubname: twice.pubsubname, topic: twice.topic })}</p>
        )}
        <div className={css.sides}>
          <section ref={fields} aria-label={SERVED.fields}>
            {listed === undefined ? (
              <p className={css.muted}>{SERVED.notList}</p>
            ) : (
              <SubscriptionForm
                appId={state.appId}
                subscriptions={listed}
                problems={problems}
                onChange={(next) => edit(JSON.stringify(next, null, 2))}
              />
            )}
          </section>
          <CodeBox
            label={SERVED.label}
            value={text}
            language="json"
            readOnly={false}
            invalid={problem !== undefined}
            describedBy={problem === undefined ? undefined : problemId}
            className={css.editor}
            onChange={(next) => edit(next === served ? undefined : next)}
          />
        </div>
      </div>
      <ServeBar
        problem={problem}
        problemId={problemId}
        off={mistake === undefined ? undefined : problem}
        pending={pending}
        onServe={serveNow}
        onReset={edited === undefined ? undefined : () => edit(undefined)}
        problems={otherProblems(problems, listed?.length ?? 0)}
      />
    </div>
  );
}

interface ServeBarProps {
  /** The mistake in the text, or why the host refused it, until it is edited. */
  readonly problem: string | undefined;
  readonly problemId: string;
  /** Why the text cannot be served. */
  readonly off: string | undefined;
  readonly pending: boolean;
  readonly onServe: () => void;
  /** Restores the served text; undefined: nothing was changed. */
  readonly onReset: (() => void) | undefined;
  /** Problems that the host found in the served text. */
  readonly problems: readonly Problem[];
}

/** The row under the editor: serve, restore, and mistakes. */
function ServeBar(props: ServeBarProps): ReactElement {
  const { problem, problemId, off, pending, onServe, onReset, problems } = props;
  const away = useAway(ACT_WHY.away);
  return (
    <div className={css.serve}>
      {problem !== undefined && (
        <p id={problemId} role="alert" className={css.problem}>
          {problem}
        </p>
      )}
      <div className={css.buttons}>
        <Button kind="primary" off={away ?? off} pending={pending} onClick={onServe}>
          {SERVED.serve}
        </Button>
        {onReset !== undefined && (
          <>
            <Button onClick={onReset}>{SERVED.reset}</Button>
            <span className={css.muted}>{SERVED.notServed}</span>
          </>
        )}
      </div>
      {problems.length > 0 && (
        <ul aria-label={SERVED.problems}>
          {problems.map((problem) => (
            <li key={`${problem.field ?? ''} ${problem.message}`} className={css.problem}>
              {asSentence(problem.message, problem.field)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
