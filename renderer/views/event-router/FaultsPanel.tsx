/** Simulated faults of the embedded router: requests, tokens, its clock, the scale of its waits. */
import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import type { EventRouterComponent } from '../../../core/contract/event-router/components.ts';
import type { FaultsResult } from '../../../core/contract/event-router/methods.ts';
import type {
  FaultParams,
  FaultTarget,
  RouterFault,
  TokenFault,
} from '../../../core/contract/event-router/local-router-status.ts';
import { FAULT_TARGETS, TOKEN_FAULTS } from '../../../core/contract/event-router/words.ts';
import { cx } from '../../components/class-names.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Field, TextField } from '../../components/Fields.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { RefusedForm } from '../../components/RefusedForm.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { TOKENS } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { FAULTS, ROUTER_DELIVERIES, TOKEN_FAULT_WORDS } from './copy/local-router.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known, Panel } from './Panel.tsx';
import { faultMistake, waitScaleMistake } from './policy-fields.ts';
import { useRouterActs } from './use-router-acts.ts';

/** The four kinds of faults, and the armed ones. */
export function FaultsPanel({ component }: { readonly component: EventRouterComponent }): ReactElement {
  const { eventRouter } = useConsole();
  return (
    <Panel title={FAULTS.title}>
      <RequestFault />
      <TokenFaultForm component={component} />
      <NumberForm
        label={FAULTS.skew}
        start="0"
        act={FAULTS.setSkew}
        id="skew"
        mistake={(text) => faultMistake('skew', text)}
        send={(n) => ({ add: { target: 'identity', clockSkewMinutes: n } })}
        doneText={() => FAULTS.armed}
      />
      <NumberForm
        label={FAULTS.scale}
        hint={FAULTS.scaleHint}
        start="0.01"
        act={FAULTS.setScale}
        id="scale"
        mistake={waitScaleMistake}
        send={(n) => ({ timeScale: n })}
        doneText={({ timeScale }) => fill(FAULTS.scaleSet, { n: timeScale })}
      />
      <Known of={eventRouter.faults} loading={ROUTER_DELIVERIES.loading} failed={FAULTS.failed}>
        {({ faults }) =>
          faults.length === 0 ? (
            <p className={css.muted}>{FAULTS.none}</p>
          ) : (
            <ul aria-label={FAULTS.active}>
              {faults.map((fault) => (
                <Armed key={fault.faultId} fault={fault} />
              ))}
            </ul>
          )
        }
      </Known>
    </Panel>
  );
}

type Kind = keyof typeof FAULTS.kinds;

const KINDS: readonly Kind[] = ['status', 'delay', 'drop', 'slow'];

function paramsOf(target: FaultTarget, kind: Kind, amount: number, times: number): FaultParams {
  switch (kind) {
    case 'status':
      return { target, times, status: amount };
    case 'delay':
      return { target, times, delayMs: amount };
    case 'drop':
      return { target, times, drop: true };
    case 'slow':
      return { target, times, slowBodyMs: amount };
  }
}

const START: Readonly<Record<Kind, string>> = { status: '503', delay: '2000', drop: '', slow: '5000' };

interface Requests {
  readonly target: FaultTarget;
  readonly kind: Kind;
  readonly amount: string;
  readonly times: string;
}

const REQUESTS: Requests = { target: 'ingress', kind: 'status', amount: START.status, times: '1' };

function RequestFault(): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const [{ target, kind, amount, times }, change] = useLeftState('fault of requests', REQUESTS);
  const set = (part: Partial<Requests>): void => change((now) => ({ ...now, ...part }));
  const wrongAmount = kind === 'drop' ? undefined : faultMistake(kind, amount);
  const wrongTimes = faultMistake('times', times);
  const refused = useRefused();
  return (
    <RefusedForm refused={refused} className={css.fields}>
      <Field label={FAULTS.target}>
        {({ id }) => (
          <Choice
            wide
            id={id}
            label={FAULTS.target}
            value={target}
            options={FAULT_TARGETS.map((value) => ({ value, title: FAULTS.targets[value] }))}
            onChange={(next) => set({ target: FAULT_TARGETS.find((each) => each === next) ?? target })}
          />
        )}
      </Field>
      <Field label={FAULTS.kind}>
        {({ id }) => (
          <Choice
            wide
            id={id}
            label={FAULTS.kind}
            value={kind}
            options={KINDS.map((value) => ({ value, title: FAULTS.kinds[value] }))}
            onChange={(next) => {
              const chosen = KINDS.find((each) => each === next) ?? kind;
              set({ kind: chosen, amount: START[chosen] });
            }}
          />
        )}
      </Field>
      {kind !== 'drop' && (
        <TextField
          label={FAULTS.amount[kind]}
          inputMode="numeric"
          error={wrongAmount}
          value={amount}
          onChange={(next) => set({ amount: next })}
        />
      )}
      <TextField
        label={FAULTS.times}
        inputMode="numeric"
        error={wrongTimes}
        value={times}
        onChange={(next) => set({ times: next })}
      />
      <Button
        off={away ?? wrongAmount ?? wrongTimes}
        pending={isPending('arm')}
        onClick={() =>
          run(
            'arm',
            async () => {
              await call('eventRouter.faults', {
                add: paramsOf(target, kind, Number(amount), Number(times)),
              });
              return FAULTS.armed;
            },
            refused,
          )
        }
      >
        {FAULTS.arm}
      </Button>
    </RefusedForm>
  );
}

const TOKEN: { readonly fault: TokenFault; readonly times: string } = { fault: 'expired', times: '1' };

function TokenFaultForm({ component }: { readonly component: EventRouterComponent }): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const [{ fault, times }, change] = useLeftState(`fault of tokens for ${component.name}`, TOKEN);
  const set = (part: Partial<typeof TOKEN>): void => change((now) => ({ ...now, ...part }));
  const wrong = faultMistake('times', times);
  const refused = useRefused();
  return (
    <RefusedForm refused={refused} className={css.fields}>
      <Field label={TOKENS.next}>
        {({ id }) => (
          <Choice
            wide
            id={id}
            label={TOKENS.next}
            value={fault}
            options={TOKEN_FAULTS.map((value) => ({ value, title: TOKEN_FAULT_WORDS[value] }))}
            onChange={(next) => set({ fault: TOKEN_FAULTS.find((each) => each === next) ?? fault })}
          />
        )}
      </Field>
      <TextField
        label={TOKENS.nextTimes}
        inputMode="numeric"
        error={wrong}
        value={times}
        onChange={(next) => set({ times: next })}
      />
      <Button
        off={away ?? wrong}
        pending={isPending('token-fault')}
        onClick={() =>
          run(
            'token-fault',
            async () => {
              const n = Number(times);
              await call('eventRouter.token', { component: component.name, act: 'fault', fault, times: n });
              return fill(TOKENS.armed, { n, kind: TOKEN_FAULT_WORDS[fault] });
            },
            refused,
          )
        }
      >
        {TOKENS.arm}
      </Button>
    </RefusedForm>
  );
}

interface NumberFormProps {
  readonly label: string;
  readonly hint?: string;
  readonly start: string;
  readonly act: string;
  readonly id: string;
  /** The mistake in the text; undefined: it can be sent. */
  readonly mistake: (text: string) => string | undefined;
  readonly send: (n: number) => { readonly add?: FaultParams; readonly timeScale?: number };
  readonly doneText: (answer: FaultsResult) => string;
}

function NumberForm({ label, hint, start, act, id, mistake, send, doneText }: NumberFormProps): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const [text, change] = useLeftState(`fault of ${id}`, start);
  const refused = useRefused();
  const work = async (): Promise<string> => doneText(await call('eventRouter.faults', send(Number(text))));
  return (
    <RefusedForm refused={refused} className={cx(css.fields, css.oneField)}>
      <TextField
        label={label}
        hint={hint}
        inputMode="decimal"
        error={mistake(text)}
        value={text}
        onChange={(next) => change(() => next)}
      />
      <Button off={away ?? mistake(text)} pending={isPending(id)} onClick={() => run(id, work, refused)}>
        {act}
      </Button>
    </RefusedForm>
  );
}

function words({ params, left }: RouterFault): string {
  if ('clockSkewMinutes' in params) return fill(FAULTS.clock, { n: params.clockSkewMinutes });
  const kind: Kind =
    params.status !== undefined
      ? 'status'
      : params.delayMs !== undefined
        ? 'delay'
        : params.drop === true
          ? 'drop'
          : 'slow';
  const amount = params.status ?? params.delayMs ?? params.slowBodyMs;
  return fill(FAULTS.one, {
    target: FAULTS.targets[params.target],
    kind: amount === undefined ? FAULTS.kinds[kind] : `${FAULTS.kinds[kind]} (${amount})`,
    n: left,
  });
}

function Armed({ fault }: { readonly fault: RouterFault }): ReactElement {
  const { call } = useConsole();
  const { away, run } = useRouterActs();
  const name = words(fault);
  return (
    <li className={css.check}>
      <span>{name}</span>
      <IconButton
        icon={X}
        label={fill(FAULTS.disarm, { name })}
        off={away}
        onClick={() =>
          run('disarm', async () => {
            await call('eventRouter.faults', { remove: fault.faultId });
            return FAULTS.disarmed;
          })
        }
      />
    </li>
  );
}
