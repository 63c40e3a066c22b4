/**
 * The empty list of a run that only watches: each tapped app, and the lines to change so that traffic passes.
 */
import type { ReactElement } from 'react';
import type { TapRow } from '../../../core/contract/tap.ts';
import { ObservedMark } from '../../components/ObservedMark.tsx';
import { ProblemList } from '../../components/ProblemList.tsx';
import { TapLines } from '../../components/connect/TapLines.tsx';
import { fill } from '../../copy/fill.ts';
import { TAPS } from '../../copy/taps.ts';
import css from './FirstRun.module.css';

export function WatchedApps({ taps }: { readonly taps: readonly TapRow[] }): ReactElement {
  return (
    <div className={css.page}>
      <h2 className={css.title}>{TAPS.nothingPassed}</h2>
      <p className={css.where}>{TAPS.whenPassed}</p>
      <div className={css.ways}>
        {taps.map((tap) => (
          <Watched key={tap.appId} tap={tap} />
        ))}
      </div>
    </div>
  );
}

function Watched({ tap }: { readonly tap: TapRow }): ReactElement {
  const { appId, appUrl, appAnswers, sidecarUrl, sidecarAnswers, problems } = tap;
  const said = (address: string, answers: boolean): string =>
    fill(answers ? TAPS.answers : TAPS.silent, { address });
  return (
    <section className={css.way} aria-label={fill(TAPS.cardOf, { app: appId })}>
      <h3>
        {appId} <ObservedMark tap={appId} />
      </h3>
      <p>{fill(TAPS.appIs, { said: said(appUrl, appAnswers) })}</p>
      <p>{fill(TAPS.sidecarIs, { said: said(sidecarUrl, sidecarAnswers) })}</p>
      <TapLines tap={tap} />
      <ProblemList
        problems={problems.map((message) => ({ message, severity: 'warning' as const }))}
        label={fill(TAPS.problems, { app: appId })}
      />
    </section>
  );
}
