/** Taps of this run: their two sides, the lines to change, the traffic, and the other calls. */
import { Trash2, Waypoints } from 'lucide-react';
import { useId, useState, type ReactElement } from 'react';
import type { OtherCall, TapRow } from '../../../../core/contract/tap.ts';
import { whyNotRead } from '../../../format/why-not-read.ts';
import { Button } from '../../../components/Button.tsx';
import { DataTable } from '../../../components/DataTable.tsx';
import { Facts } from '../../../components/Facts.tsx';
import { Question } from '../../../components/Overlay.tsx';
import { ProblemList } from '../../../components/ProblemList.tsx';
import { Failed, Loading } from '../../../components/States.tsx';
import { ACT_WHY } from '../../../copy/acts.ts';
import { fill } from '../../../copy/fill.ts';
import { TAPS } from '../../../copy/taps.ts';
import { clockTime } from '../../../format/clock-time.ts';
import { count, duration } from '../../../format/quantity.ts';
import { otherStatus } from '../../../format/tap-lines.ts';
import { useAway, useConsole, useResource } from '../../../state/context.ts';
import { asFailure } from '../../../state/resource.ts';
import page from '../../page.module.css';
import { TapDialog } from '../../../components/connect/TapDialog.tsx';
import { TapLines } from '../../../components/connect/TapLines.tsx';
import css from '../../../components/connect/Taps.module.css';

export function TapsPart(): ReactElement {
  const { topology } = useConsole();
  const away = useAway(ACT_WHY.away);
  const id = useId();
  const { status, value, failure } = useResource(topology.taps);
  const [asked, setAsked] = useState(false);
  return (
    <section aria-labelledby={id} className={css.list}>
      <div className={page.box}>
        <h2 id={id}>{TAPS.list}</h2>
        <p>{TAPS.hint}</p>
        {value === undefined && status !== 'failed' && <Loading text={TAPS.loading} rows={1} />}
        {value === undefined && status === 'failed' && (
          <Failed
            text={fill(TAPS.failed, { message: whyNotRead(failure) })}
            again={() => void topology.taps.refresh()}
          />
        )}
        {value?.items.length === 0 && <p className={page.muted}>{TAPS.none}</p>}
        <div className={page.bar}>
          <Button icon={Waypoints} off={away} onClick={() => setAsked(true)}>
            {TAPS.open}
          </Button>
        </div>
      </div>
      {value?.items.map((tap) => (
        <TapCard key={tap.appId} tap={tap} />
      ))}
      {asked && <TapDialog onClose={() => setAsked(false)} />}
    </section>
  );
}

function TapCard({ tap }: { readonly tap: TapRow }): ReactElement {
  const { appId: app, sidecarGrpc } = tap;
  const side = (address: string, answers: boolean): string =>
    fill(answers ? TAPS.answers : TAPS.silent, { address });
  return (
    <div className={page.box}>
      <h2>
        <bdi>{app}</bdi>
      </h2>
      <Facts
        facts={[
          [TAPS.app, side(tap.appUrl, tap.appAnswers)],
          [TAPS.sidecar, side(tap.sidecarUrl, tap.sidecarAnswers)],
          ...(sidecarGrpc === undefined ? [] : [[TAPS.grpc, sidecarGrpc] as const]),
          [
            TAPS.profile,
            tap.runtimeVersion === undefined ? tap.profile : `${tap.profile} (${tap.runtimeVersion})`,
          ],
          [
            TAPS.passed,
            fill(TAPS.passedText, {
              publishes: tap.publishes,
              deliveries: tap.deliveries,
              others: tap.others,
            }),
          ],
        ]}
      />
      <TapLines tap={tap} />
      <ProblemList
        problems={tap.problems.map((message) => ({ message, severity: 'warning' as const }))}
        label={fill(TAPS.problems, { app })}
      />
      <OtherCalls tap={tap} />
      <RemoveTap tap={tap} />
    </div>
  );
}

function OtherCalls({ tap }: { readonly tap: TapRow }): ReactElement {
  const { at, to, call, status, took, note } = TAPS.columns;
  if (tap.otherCalls.length === 0) return <p className={page.muted}>{TAPS.noOtherCalls}</p>;
  return (
    <details>
      <summary>{TAPS.otherCalls}</summary>
      <p className={page.muted}>
        {fill(TAPS.newest, { n: count(tap.otherCalls.length), total: count(tap.others) })}
      </p>
      <DataTable
        dense
        label={fill(TAPS.otherCallsOf, { app: tap.appId })}
        columns={[at, to, call, status, took, note]}
        numeric={[4]}
        folded={[5]}
        rows={tap.otherCalls.map((one, index) => ({ id: `${one.at} ${index}`, cells: cellsOf(one) }))}
      />
    </details>
  );
}

function cellsOf(call: OtherCall): readonly string[] {
  const { at, to, method, path, protocol, durationMs, note = '' } = call;
  const line = protocol === 'grpc' ? path : `${method} ${path}`;
  return [clockTime(at), TAPS.to[to], line, otherStatus(call), duration(durationMs), note];
}

function RemoveTap({ tap: { appId: app, added } }: { readonly tap: TapRow }): ReactElement {
  const { call, toasts, topology } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [asked, setAsked] = useState(false);
  const [pending, setPending] = useState(false);

  async function remove(): Promise<void> {
    setPending(true);
    try {
      const { unfinished: n } = await call('taps.remove', { appId: app });
      toasts.done(fill(n === 0 ? TAPS.removed : TAPS.removedUnfinished, { app, n: count(n) }));
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    } finally {
      setPending(false);
      topology.onChange();
    }
  }

  if (!added) return <p className={page.muted}>{TAPS.fixed}</p>;
  return (
    <div className={page.bar}>
      <Button
        icon={Trash2}
        off={away}
        pending={pending}
        aria-label={fill(TAPS.removeOf, { app })}
        onClick={() => setAsked(true)}
      >
        {TAPS.remove}
      </Button>
      {asked && (
        <Question
          danger
          title={fill(TAPS.removeTitle, { app })}
          text={TAPS.removeText}
          yes={TAPS.removeYes}
          onYes={() => void remove()}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  );
}
