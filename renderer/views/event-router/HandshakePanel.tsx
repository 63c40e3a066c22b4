/** Handshakes of the webhook, and the buttons that start one. */
import { Copy, Send } from 'lucide-react';
import type { ReactElement } from 'react';
import type {
  EventRouterComponent,
  HandshakeReport,
  InputReport,
} from '../../../core/contract/event-router/components.ts';
import type { HandshakeAct } from '../../../core/contract/event-router/methods.ts';
import { EVR_CODES } from '../../../core/contract/event-router/words.ts';
import { Button } from '../../components/Button.tsx';
import { useNow } from '../../components/clock.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { INPUT } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { clockSeconds, clockSpan, clockTime, utcTime } from '../../format/clock-time.ts';
import { useConsole, useResource } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Panel } from './Panel.tsx';
import { useRouterActs } from './use-router-acts.ts';

function answerOf({ status }: HandshakeReport): string {
  if (status === undefined) return INPUT.noAnswer;
  return status === 200 ? fill(INPUT.healthy, { status }) : String(status);
}

/** Why a handshake failed; undefined: it succeeded. */
function whyOf({ code, reason, message }: HandshakeReport): string | undefined {
  const words = [code, code === undefined ? (reason ?? message) : EVR_CODES[code]];
  return words.filter((part) => part !== undefined).join(' ') || undefined;
}

/** The last handshake in words, the buttons, the table. */
export function HandshakePanel({
  component,
  input,
}: {
  readonly component: EventRouterComponent;
  readonly input: InputReport;
}): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const { handshakes } = input;
  const [last] = handshakes;
  const does = (act: HandshakeAct, said: (last: HandshakeReport | undefined) => string): void =>
    run(`handshake.${act}`, async () => {
      const answer = await call('eventRouter.handshake', { component: component.name, act });
      return said(answer.handshakes[0]);
    });
  const sent = (one: HandshakeReport | undefined): string =>
    fill(INPUT.handshakeSent, { answer: one === undefined ? INPUT.noAnswer : answerOf(one) });
  return (
    <Panel
      title={INPUT.handshake}
      acts={
        <>
          <Button
            icon={Send}
            off={away}
            pending={isPending('handshake.probe')}
            onClick={() => does('probe', sent)}
          >
            {INPUT.sendHandshake}
          </Button>
          <Button off={away} pending={isPending('handshake.router')} onClick={() => does('router', sent)}>
            {INPUT.askRouter}
          </Button>
          {last?.consent === 'yes' && (
            <Button
              off={away}
              pending={isPending('handshake.revoke')}
              onClick={() => does('revoke', () => INPUT.revoked)}
            >
              {INPUT.revoke}
            </Button>
          )}
        </>
      }
    >
      <Pending component={component} />
      {last === undefined ? (
        <p className={css.muted}>{INPUT.noHandshake}</p>
      ) : (
        <p>
          {fill(INPUT.lastHandshake, { time: clockSeconds(last.at), answer: answerOf(last) })}
          {last.status !== 503 && whyOf(last) !== undefined && (
            <span className={css.problem}> {whyOf(last)}</span>
          )}
          {last.status === 503 && <span className={css.problem}> {INPUT.ingressBroken}</span>}
        </p>
      )}
      {handshakes.length > 0 && <Handshakes rows={handshakes} />}
    </Panel>
  );
}

/** The deadline of a handshake that waits for a person's consent, and the two ways to give it. */
function Pending({ component }: { readonly component: EventRouterComponent }): ReactElement | null {
  const { acting, call, eventRouter } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const { value } = useResource(eventRouter.subscriptions);
  const until = value?.items.find((each) => each.component === component.name && each.role === 'current')
    ?.router?.awaitsCallbackUntil;
  const now = useNow(until !== undefined);
  if (until === undefined) return null;
  const left = Math.max(0, Date.parse(until) - now);
  return (
    <div role="status" className={css.warning}>
      <span>
        {fill(INPUT.awaitsConsent, { time: clockSeconds(until) })}{' '}
        <span aria-hidden>({clockSpan(left)})</span>
      </span>
      <Button
        off={away}
        pending={isPending('handshake.validate')}
        onClick={() =>
          run('handshake.validate', async () => {
            await call('eventRouter.handshake', { component: component.name, act: 'validate' });
            return INPUT.validated;
          })
        }
      >
        {INPUT.validate}
      </Button>
      <Button
        icon={Copy}
        off={away}
        onClick={() =>
          run('handshake.url', async () => {
            const answer = await call('eventRouter.handshake', { component: component.name });
            await acting.copy(answer.validationUrl ?? '');
            return undefined;
          })
        }
      >
        {INPUT.copyValidation}
      </Button>
    </div>
  );
}

function Handshakes({ rows }: { readonly rows: readonly HandshakeReport[] }): ReactElement {
  const { columns } = INPUT;
  return (
    <DataTable
      dense
      label={INPUT.handshakes}
      columns={[
        columns.time,
        columns.by,
        columns.origin,
        columns.token,
        columns.status,
        columns.consent,
        columns.reason,
      ]}
      whole={[0]}
      folded={[2, 6]}
      rows={rows.map((row, index) => ({
        id: `${row.at} ${index}`,
        isBad: row.status !== 200,
        cells: [
          <time key="at" dateTime={row.at} title={utcTime(row.at)}>
            {clockTime(row.at)}
          </time>,
          INPUT.by[row.by],
          row.origin ?? VIEWS_COMMON.dash,
          INPUT.tokens[row.token],
          row.status === 503 ? `503: ${INPUT.ingressBroken}` : answerOf(row),
          INPUT.consents[row.consent],
          <span key="why" title={row.message}>
            {whyOf(row) ?? VIEWS_COMMON.dash}
          </span>,
        ],
      }))}
    />
  );
}
