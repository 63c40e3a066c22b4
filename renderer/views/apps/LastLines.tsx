/** The last lines that an app's process wrote. */
import { useEffect, type ReactElement } from 'react';
import { Link } from 'wouter';
import { APPS } from '../../copy/apps.ts';
import { fill } from '../../copy/fill.ts';
import { clockTime } from '../../format/clock-time.ts';
import { useConsole, useResource } from '../../state/context.ts';
import { LINES_EVERY_MS } from '../../state/processes.ts';
import page from '../page.module.css';
import css from './Apps.module.css';

export function LastLines({ appId }: { readonly appId: string }): ReactElement {
  const { processes, logs } = useConsole();
  const lines = processes.linesOf(appId);
  const { value } = useResource(lines);
  useEffect(() => {
    const timer = setInterval(() => lines.invalidate(), LINES_EVERY_MS);
    return () => clearInterval(timer);
  }, [lines]);
  const newest = value?.items ?? [];
  return (
    <div className={css.lines}>
      {newest.length === 0 ? (
        <p className={page.muted}>{APPS.noLines}</p>
      ) : (
        <ol aria-label={fill(APPS.lines, { app: appId })} className={css.list}>
          {newest.toReversed().map(({ at, text, stream }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines have no identity, and their place is all there is
            <li key={`${at} ${index}`}>
              <time dateTime={at}>{clockTime(at)}</time>{' '}
              {stream === 'stderr' && <span className={css.stream}>{APPS.errorStream} </span>}
              {text}
            </li>
          ))}
        </ol>
      )}
      <Link href="/logs" onClick={() => logs.show({ filter: `app:"${appId}"` })}>
        {APPS.allLines}
      </Link>
    </div>
  );
}
