/** Plays a delivery through the router's schedule with invented answers; nothing is sent. */
import { useState, type ReactElement } from 'react';
import type { SimulatedAnswer, SimulateResult } from '../../../core/contract/event-router/simulate.ts';
import { Button } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { TextField, Checkbox } from '../../components/Fields.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { RefusedForm } from '../../components/RefusedForm.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { fill } from '../../copy/fill.ts';
import { SIMULATOR } from './copy/local-router.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { duration } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Panel } from './Panel.tsx';
import { policyMistake, scaleMistake } from './policy-fields.ts';
import { useRouterActs } from './use-router-acts.ts';

const WORDS = ['timeout', 'refused', 'no-name', 'tls'] as const;

function answerOf(text: string): SimulatedAnswer | undefined {
  const word = WORDS.find((each) => each === text);
  if (word !== undefined) return word;
  return /^[1-5]\d\d$/.test(text) ? Number(text) : undefined;
}

interface Fields {
  readonly attempts: string;
  readonly ttl: string;
  /** Absent: the scale of the router. */
  readonly scale?: string;
  readonly answers: string;
  readonly probation: boolean;
}

const START: Fields = { attempts: '30', ttl: '1440', answers: '503, 503, 200', probation: false };

/** The fields, and the resulting schedule. */
export function PolicySimulator({
  component,
  timeScale,
}: {
  readonly component: string;
  readonly timeScale: number;
}): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const [edited, change] = useLeftState('simulated policy', START);
  const set = (part: Partial<Fields>): void => change((now) => ({ ...now, ...part }));
  const { attempts, ttl, scale = String(timeScale), answers, probation } = edited;
  const [result, setResult] = useState<SimulateResult>();
  const words = answers.split(/[\s,]+/).filter((word) => word !== '');
  const bad = words.find((word) => answerOf(word) === undefined);
  const wrong = bad === undefined ? undefined : fill(SIMULATOR.badAnswer, { answer: bad });
  const wrongPolicy = policyMistake('attempts', attempts) ?? policyMistake('ttl', ttl) ?? scaleMistake(scale);
  const refused = useRefused();
  const simulate = async (): Promise<undefined> => {
    setResult(
      await call('eventRouter.simulate', {
        maxDeliveryAttempts: Number(attempts),
        eventTimeToLiveInMinutes: Number(ttl),
        timeScale: Number(scale),
        probation,
        answers: words.map(answerOf).filter((answer) => answer !== undefined),
      }),
    );
    return undefined;
  };
  return (
    <Panel title={SIMULATOR.title}>
      <p className={css.muted}>{SIMULATOR.hint}</p>
      <RefusedForm refused={refused} className={css.tab}>
        <PolicyFields attempts={attempts} ttl={ttl} scale={scale} onChange={set} />
        <TextField
          mono
          label={SIMULATOR.answers}
          hint={SIMULATOR.answersHint}
          error={wrong}
          value={answers}
          onChange={(next) => set({ answers: next })}
        />
        <div className={css.head}>
          <Checkbox
            label={SIMULATOR.probation}
            checked={probation}
            onChange={(next) => set({ probation: next })}
          />
          <Button
            off={away ?? wrongPolicy ?? wrong}
            pending={isPending('simulate')}
            onClick={() => run('simulate', simulate, refused)}
          >
            {SIMULATOR.run}
          </Button>
          <ApplyButton
            component={component}
            attempts={attempts}
            ttl={ttl}
            scale={scale}
            wrong={wrongPolicy}
          />
        </div>
      </RefusedForm>
      <div role="status">{result !== undefined && <Schedule result={result} />}</div>
    </Panel>
  );
}

interface PolicyFieldsProps {
  /** Texts of the fields. */
  readonly attempts: string;
  readonly ttl: string;
  readonly scale: string;
  readonly onChange: (part: Partial<Fields>) => void;
}

/** The numbers of the policy, each with its mistake. */
function PolicyFields({ attempts, ttl, scale, onChange }: PolicyFieldsProps): ReactElement {
  return (
    <div className={css.fields}>
      <TextField
        label={SIMULATOR.attempts}
        inputMode="numeric"
        error={policyMistake('attempts', attempts)}
        value={attempts}
        onChange={(next) => onChange({ attempts: next })}
      />
      <TextField
        label={SIMULATOR.ttl}
        inputMode="numeric"
        error={policyMistake('ttl', ttl)}
        value={ttl}
        onChange={(next) => onChange({ ttl: next })}
      />
      <TextField
        label={SIMULATOR.scale}
        inputMode="decimal"
        error={scaleMistake(scale)}
        value={scale}
        onChange={(next) => onChange({ scale: next })}
      />
    </div>
  );
}

interface ApplyButtonProps {
  readonly component: string;
  /** Texts of the fields. */
  readonly attempts: string;
  readonly ttl: string;
  readonly scale: string;
  /** Mistake in one of them. */
  readonly wrong: string | undefined;
}

/** Applies the fields to the component's subscription and the router, after a question. */
function ApplyButton({ component, attempts, ttl, scale, wrong }: ApplyButtonProps): ReactElement {
  const { call } = useConsole();
  const { away, ask, isPending } = useRouterActs();
  async function apply(): Promise<string> {
    await call('eventRouter.subscriptions', {
      component,
      act: 'change',
      properties: {
        retryPolicy: { maxDeliveryAttempts: Number(attempts), eventTimeToLiveInMinutes: Number(ttl) },
      },
    });
    await call('eventRouter.faults', { timeScale: Number(scale) });
    return SIMULATOR.applied;
  }
  return (
    <Button
      off={away ?? wrong}
      pending={isPending('apply')}
      onClick={() =>
        ask({ title: SIMULATOR.apply, text: fill(SIMULATOR.applyQuestion, { component }) }, 'apply', apply)
      }
    >
      {SIMULATOR.apply}
    </Button>
  );
}

function Schedule({ result }: { readonly result: SimulateResult }): ReactElement {
  const { columns } = SIMULATOR;
  const { end } = result;
  return (
    <>
      <DataTable
        dense
        label={SIMULATOR.title}
        columns={[columns.attempt, columns.at, columns.answer, columns.rule, columns.wait]}
        numeric={[0]}
        rows={result.attempts.map((attempt) => ({
          id: String(attempt.number),
          isBad: attempt.outcome !== undefined,
          cells: [
            attempt.number,
            duration(attempt.atMs),
            [attempt.answer, attempt.outcome].filter((part) => part !== undefined).join(' · '),
            <code key="rule">{attempt.rule}</code>,
            attempt.waitMs === undefined ? VIEWS_COMMON.dash : duration(attempt.waitMs),
          ],
        }))}
      />
      <p>
        {fill(SIMULATOR.end, { t: duration(end.atMs), state: CHIP_WORDS[end.state], rule: end.rule })}{' '}
        <span className={css.muted}>{fill(SIMULATOR.expires, { t: duration(result.expiresMs) })}</span>
      </p>
    </>
  );
}
