/** Shows what the last start found in the journal, and whether the restart lost anything. */
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { SystemDescription } from '../../core/contract/reports.ts';
import { PopoverPanel } from '../components/PopoverPanel.tsx';
import { fill } from '../copy/fill.ts';
import { START } from '../copy/start.ts';
import { addressPart } from '../../core/contract/address-part.ts';
import { clockSeconds, utcTime } from '../format/clock-time.ts';
import { count } from '../format/quantity.ts';
import { useConsole, useResource } from '../state/context.ts';
import css from './StatusLine.module.css';

const REQUEUED = 'restart.requeued';

/** Banners about files of the history that were damaged. */
function damageOf({ banners }: Pick<SystemDescription, 'banners'>): SystemDescription['banners'] {
  return banners.filter(({ id }) => id.startsWith('journal-'));
}

/** Whether the start found everything that was acknowledged: no file was damaged, and each message could be read. */
export function lostNothing(system: Pick<SystemDescription, 'start' | 'banners'>): boolean {
  return damageOf(system).length === 0 && system.start.damaged === 0;
}

/** A button of the footer, and its sentences. */
export function StartInfo({ system }: { readonly system: SystemDescription }): ReactElement {
  const { settings } = useConsole();
  const { value } = useResource(settings);
  const { start, ephemeral } = system;
  const damage = damageOf(system);
  const isNormal = value?.items.some(({ key, value: set }) => key === 'journal.sync' && set === 'normal');
  return (
    <PopoverPanel
      title={START.title}
      align="end"
      trigger={
        <button type="button" className={css.start} title={utcTime(start.at)}>
          {fill(START.button, { time: clockSeconds(start.at) })}
        </button>
      }
    >
      {ephemeral && <p>{START.ephemeral}</p>}
      {!ephemeral && start.kept === 0 && damage.length === 0 && <p>{START.fresh}</p>}
      {!ephemeral && start.kept > 0 && <Found start={start} />}
      {damage.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
      {!ephemeral && lostNothing(system) && start.kept > 0 && (
        <p>
          <strong>{START.nothingLost}</strong> {isNormal === true ? START.promiseNormal : START.promise}
        </p>
      )}
    </PopoverPanel>
  );
}

/** Everything that the start found, each with its number. */
export function Found({ start }: { readonly start: SystemDescription['start'] }): ReactElement {
  const { kept, wentOn, requeued, republished, held, parked, ended, none, replayed, damaged } = start;
  // The banner of the start has these numbers in one sentence.
  const others = [
    [START.wentOn, wentOn],
    [START.republished, republished],
    [START.held, held],
    [START.parked, parked],
    [START.ended, ended],
    [START.none, none],
    [START.replayed, replayed],
    [START.damaged, damaged],
  ] as const;
  return (
    <ul className={css.found} aria-label={START.title}>
      <li>{fill(START.kept, { n: count(kept) })}</li>
      <li>
        {fill(START.requeued, { n: count(requeued) })} <code>{REQUEUED}</code>{' '}
        {requeued > 0 && <Link href={`/messages?f=${addressPart(`rule:${REQUEUED}`)}`}>{START.show}</Link>}
      </li>
      {others.map(([text, n]) => n > 0 && <li key={text}>{fill(text, { n: count(n) })}</li>)}
    </ul>
  );
}
