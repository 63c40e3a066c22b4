/** The Holds screen: the holds, and what they hold now. */
import { Play, Plus } from 'lucide-react';
import type { ReactElement } from 'react';
import type { HeldItem, Hold } from '../../../core/contract/hold.ts';
import { Button } from '../../components/Button.tsx';
import { Loaded } from '../../components/States.tsx';
import { useIsNarrow } from '../../components/use-narrow.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { HOLDS } from '../../copy/holds.ts';
import { count } from '../../format/quantity.ts';
import { commandOf } from '../../keys/commands.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { isHeldPending, releaseHeld } from './held-acts.ts';
import { HeldGrid } from './HeldGrid.tsx';
import css from './Holds.module.css';
import { HoldList } from './HoldList.tsx';

/** Holds on the left, queue on the right; in one column the queue, which is what a person comes for, is first. */
export function HoldsView(): ReactElement {
  const console = useConsole();
  const { commands, holds } = console;
  const isNarrow = useIsNarrow();
  const away = useAway(ACT_WHY.away);
  const { value: queue, failure } = useResource(holds.queue);
  const { value: holdsNow } = useResource(holds.list);
  const held = queue?.total ?? 0;
  const next = queue?.items[0];
  const pending = useSelected(
    commands.store,
    (state) => next !== undefined && isHeldPending(state, 'release', next),
  );
  const off = away ?? (held === 0 ? HOLDS.nothingHeld : undefined);
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{HOLDS.title}</h1>
        <span className={page.space} />
        <Button
          icon={Play}
          off={off}
          pending={pending}
          onClick={() => {
            if (next !== undefined) releaseHeld(console, next);
          }}
        >
          {HOLDS.releaseNext}
        </Button>
        <Button off={off} onClick={() => commandOf('releaseAll')?.run(console)}>
          {fill(HOLDS.releaseAll, { n: count(held) })}
        </Button>
        <Button off={off ?? whyNoDrop(queue)} onClick={() => commandOf('dropAll')?.run(console)}>
          {HOLDS.dropAll}
        </Button>
        <Button
          icon={Plus}
          kind={held === 0 ? 'primary' : 'plain'}
          off={away}
          onClick={() => commands.open({ kind: 'hold' })}
        >
          {HOLDS.add}
        </Button>
      </div>
      <div className={css.parts}>
        {!isNarrow && <HoldList key="holds" />}
        <section className={css.queue} aria-label={HOLDS.queue}>
          <h2>{fill(HOLDS.queueHead, { n: count(held) })}</h2>
          <ReleaseProgress />
          <Loaded
            value={queue}
            failure={failure}
            loading={HOLDS.loading}
            failed={HOLDS.failed}
            again={() => void holds.queue.refresh()}
          >
            {({ items, total }) =>
              total === 0 ? (
                <p className={css.muted}>{emptyText(holdsNow?.items ?? [])}</p>
              ) : (
                <HeldGrid items={items} total={total} />
              )
            }
          </Loaded>
        </section>
        {isNarrow && <HoldList key="holds" />}
      </div>
    </div>
  );
}

/** Why nothing of the queue can be dropped; undefined: something can, or only a part of the queue is known. */
export function whyNoDrop(
  queue: { readonly items: readonly Pick<HeldItem, 'heldAt'>[]; readonly total: number } | undefined,
): string | undefined {
  const isWhole = queue !== undefined && queue.items.length === queue.total;
  return isWhole && queue.items.every(({ heldAt }) => heldAt === 'response') ? HOLDS.onlyAnswers : undefined;
}

/** Text of an empty queue: the holds that are on and not used up wait for a match, and without one there is none to wait for. */
export function emptyText(all: readonly Pick<Hold, 'enabled' | 'times' | 'hits'>[]): string {
  const n = all.filter(({ enabled, times, hits }) => enabled && hits < (times ?? Infinity)).length;
  return n === 0 ? HOLDS.empty : fill(HOLDS.emptyWaiting, { n: count(n) });
}

/** Progress of "Release all". */
function ReleaseProgress(): ReactElement | null {
  const { holds } = useConsole();
  const { progress } = useSelected(holds.releasing, (state) => state);
  if (progress === undefined) return null;
  const { done, of } = progress;
  const text = fill(HOLDS.releasing, { done: count(done), of: count(of) });
  return (
    <div className={css.progress}>
      <progress max={of} value={done} aria-label={text} />
      <span>{text}</span>
      <Button onClick={holds.stopReleasing}>{HOLDS.stop}</Button>
    </div>
  );
}
