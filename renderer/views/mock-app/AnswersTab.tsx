/** The answers of the mock app, in the order in which they are tried. */
import { theApp } from '../../../core/contract/app-text.ts';
import { Plus } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import type { MockAppState, ResponseRule } from '../../../core/contract/mock-app.ts';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Fields.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { MOCK } from '../../copy/mock-app.ts';
import { count } from '../../format/quantity.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import css from './MockApp.module.css';
import { PresetBar } from './PresetBar.tsx';
import { handleId, RuleRow, type RuleRowProps } from './RuleRow.tsx';
import { silentTopic, topicsOfMock } from './silent-topic.ts';
import { useMockRules } from './use-mock-rules.ts';

/**
 * Number of rows that are drawn at once: each has five buttons with tooltips, and hundreds of rows take
 * seconds.
 */
const STEP = 60;

function isSameRule(one: ResponseRule, other: ResponseRule): boolean {
  return one.ruleId === other.ruleId;
}

/** The rules with one in another place; unchanged if it was removed meanwhile. */
export function movedTo(
  rules: readonly ResponseRule[],
  rule: ResponseRule,
  to: number,
): readonly ResponseRule[] {
  const from = rules.findIndex((each) => isSameRule(each, rule));
  const present = rules[from];
  return present === undefined ? rules : rules.toSpliced(from, 1).toSpliced(to, 0, present);
}

/** Preset picker, list, and the default answer at the end. */
export function AnswersTab({ state }: { readonly state: MockAppState }): ReactElement {
  const { commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { change, reset, turn } = useMockRules(state.appId);
  const [moved, setMoved] = useState<{ readonly text: string; readonly focus: string }>();
  const { rules } = state;
  const { shown, end } = useGrowing(rules.length);
  const silentAt = useSilentAt(state);

  // The rows get functions that never change, so that they are not drawn again at every count.
  const latest = useRef({ rules, change });
  useEffect(() => {
    latest.current = { rules, change };
  });
  const move = useCallback((from: number, to: number): void => {
    const now = latest.current;
    const rule = now.rules[from];
    if (rule === undefined || to < 0 || to >= now.rules.length || to === from) return;
    void now
      .change((all) => movedTo(all, rule, to))
      .then((done) => {
        if (!done) return;
        setMoved({ text: fill(MOCK.moved, { n: to + 1, of: now.rules.length }), focus: handleId(rule) });
      });
  }, []);
  const enable = useCallback((rule: ResponseRule, enabled: boolean): void => {
    const set = (each: ResponseRule): ResponseRule => (isSameRule(each, rule) ? { ...each, enabled } : each);
    void latest.current.change((all) => all.map(set));
  }, []);
  const remove = useCallback((rule: ResponseRule): void => {
    void latest.current.change(
      (all) => all.filter((each) => !isSameRule(each, rule)),
      () => MOCK.saved,
    );
  }, []);

  // A moved row loses the focus, so it is given back to the same row.
  useEffect(() => {
    if (moved !== undefined) document.getElementById(moved.focus)?.focus();
  }, [moved]);

  return (
    <div className={css.tab}>
      <div className={css.buttons}>
        <PresetBar state={state} />
        <Button icon={Plus} kind="primary" off={away} onClick={() => commands.open({ kind: 'rule' })}>
          {MOCK.add}
        </Button>
        <Button off={away} onClick={() => void reset()}>
          {MOCK.resetCounters}
        </Button>
        {state.tap !== true && (
          <Checkbox isSwitch off={away} label={MOCK.on} checked={state.on} onChange={(on) => void turn(on)} />
        )}
      </div>
      <p role="status" className="visually-hidden">
        {moved?.text ?? ''}
      </p>
      {rules.length === 0 && <NoAnswers state={state} />}
      <ol className={css.list} aria-label={MOCK.list}>
        {rules.slice(0, shown).map((rule, index) => (
          <RuleRow
            key={rule.ruleId ?? index}
            rule={rule}
            index={index}
            last={rules.length - 1}
            waiting={callsUnderWay(state.underWay, rule)}
            {...silentAt(rule)}
            onMove={move}
            onEnable={enable}
            onRemove={remove}
          />
        ))}
        {shown < rules.length && (
          <li ref={end} className={css.more}>
            {fill(MOCK.more, { n: count(rules.length - shown) })}
          </li>
        )}
        <Default state={state} />
      </ol>
    </div>
  );
}

/** Says of each answer whether the mock app lacks the subscription to its topic. */
function useSilentAt(state: MockAppState): (rule: ResponseRule) => Pick<RuleRowProps, 'silentAt'> {
  const { topology } = useConsole();
  const { value: apps } = useResource(topology.apps);
  const { value: known } = useResource(topology.subscriptions);
  const topics = topicsOfMock(state, apps?.items, known?.items);
  return (rule) => {
    const topic = silentTopic(rule, topics);
    return topic === undefined ? {} : { silentAt: { appId: state.appId, topic } };
  };
}

/** Number of calls that an answer was chosen for and that have not ended: a call that waits for a person is one. */
function callsUnderWay(underWay: MockAppState['underWay'], { ruleId }: ResponseRule): number {
  return underWay?.find((one) => one.ruleId === ruleId)?.calls ?? 0;
}

/** Text about what a mock app without answers does. */
function NoAnswers({ state: { tap, appId } }: { readonly state: MockAppState }): ReactElement {
  return (
    <p className={css.muted}>
      {tap === true ? fill(MOCK.onlyApp, { app: theApp(appId) }) : MOCK.onlyDefault}
    </p>
  );
}

/** Text about requests without a matching answer. */
function Default({ state }: { readonly state: MockAppState }): ReactElement {
  const { tap, rules, defaultHits = 0 } = state;
  return (
    <li className={css.rule}>
      <span />
      <span className={css.name}>{MOCK.default}</span>
      <span className={css.match}>{rules.length === 0 ? MOCK.everything : MOCK.everythingElse}</span>
      <span className={css.answer}>→ {tap === true ? MOCK.appAnswers : MOCK.defaultAnswer}</span>
      <span className={css.hits}>{tap !== true && fill(MOCK.hits, { n: count(defaultHits) })}</span>
    </li>
  );
}

interface Growing {
  readonly shown: number;
  /** Element after the last drawn row. */
  readonly end: RefObject<HTMLLIElement | null>;
}

/** Draws more rows whenever the end of the drawn ones becomes visible. */
function useGrowing(amount: number): Growing {
  const [shown, setShown] = useState(STEP);
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const node = end.current;
    if (node === null) return undefined;
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) setShown((n) => n + STEP);
    });
    observer.observe(node);
    return () => observer.disconnect();
  }, [shown, amount]);
  return { shown, end };
}
