/** The queue of held messages; the keyboard stays on the same line when one is removed. */
import { useEffect, useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { HeldItem } from '../../../core/contract/hold.ts';
import { Grid, rowAt } from '../../components/grid/Grid.tsx';
import { onRowKey } from '../../components/grid/keys.ts';
import { useMeasuredRows } from '../../components/grid/use-measured-rows.ts';
import { fill } from '../../copy/fill.ts';
import { HOLDS } from '../../copy/holds.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { count } from '../../format/quantity.ts';
import type { Console } from '../../state/console.ts';
import { useConsole } from '../../state/context.ts';
import { HELD_FILTER } from '../../state/holds.ts';
import { useSelected } from '../../state/store.ts';
import { heldActs, type HeldAct } from './held-acts.ts';
import { HeldRow, heldId } from './HeldRow.tsx';
import css from './Holds.module.css';

export interface HeldGridProps {
  readonly items: readonly HeldItem[];
  readonly total: number;
}

/** Height of a row that is not the chosen one. */
const ROW_PX = { compact: 36, comfortable: 44 } as const;
const GAP_PX = 4;

/**
 * The chosen item and its index. When it is removed, the next item takes its line and is chosen; when others
 * are removed, it stays chosen.
 */
function useChosen(items: readonly HeldItem[]): readonly [number, (next: number) => void] {
  const [chosen, setChosen] = useState({ index: 0, id: '' });
  const found = items.findIndex((item) => heldId(item) === chosen.id);
  const currentIndex = found === -1 ? Math.min(chosen.index, items.length - 1) : found;
  const item = items[currentIndex];
  const id = item === undefined ? '' : heldId(item);
  useEffect(() => {
    if (id !== '')
      setChosen((before) =>
        before.id === id && before.index === currentIndex ? before : { index: currentIndex, id },
      );
  }, [id, currentIndex]);
  return [
    currentIndex,
    (next) => {
      const wanted = items[next];
      if (wanted !== undefined) setChosen({ index: next, id: heldId(wanted) });
    },
  ];
}

/** The acts of the chosen item as they are now: a key may come before the queue is drawn again. */
function actsOf(console: Console, item: HeldItem | undefined): readonly HeldAct[] {
  return item === undefined ? [] : heldActs(console, item);
}

/** Held messages, oldest first. */
export function HeldGrid({ items, total }: HeldGridProps): ReactElement {
  const console = useConsole();
  const density = useSelected(console.ui, (state) => state.density);
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  const [currentIndex, choose] = useChosen(items);
  const current = items[currentIndex];
  const rows = useMeasuredRows({
    host,
    count: items.length,
    rowPx: ROW_PX[density],
    gapPx: GAP_PX,
    keyOf: (index) => heldIdAt(items, index),
    kept: currentIndex,
  });

  function go(next: number): void {
    choose(next);
    rows.show(next);
  }

  return (
    <>
      <Grid
        ref={setHost}
        label={HOLDS.grid}
        isMain
        data-act-keys={
          current &&
          heldActs(console, current)
            .map(({ key }) => key)
            .join(' ')
        }
        count={total}
        rows={rows}
        at={currentIndex}
        atId={current && heldId(current)}
        className={css.grid}
        onClick={(event) => {
          const index = rowAt(event);
          if (index !== undefined) go(index);
        }}
        onKeyDown={(event) => {
          // A key that is held down acts on one item, not on each that takes its line.
          if (event.repeat && actsOf(console, current).some(({ key }) => key === event.key)) {
            event.preventDefault();
            return;
          }
          onRowKey(event, {
            at: currentIndex,
            count: items.length,
            page: rows.fitting,
            go,
            act(key) {
              const act = actsOf(console, current).find((each) => each.key === key);
              if (act?.pending !== true) act?.run();
              return act !== undefined;
            },
          });
        }}
        line={({ index, top }) => {
          const item = items[index];
          return item === undefined ? null : (
            <HeldRow
              key={heldId(item)}
              item={item}
              index={index}
              top={top}
              isCurrent={index === currentIndex}
              measure={rows.measure}
            />
          );
        }}
      />
      {total > items.length && (
        <p>
          <Link href={`/messages?f=${addressPart(HELD_FILTER)}`}>
            {fill(HOLDS.moreInList, { n: count(total - items.length) })}
          </Link>
        </p>
      )}
    </>
  );
}

function heldIdAt(items: readonly HeldItem[], index: number): string | number {
  const item = items[index];
  return item === undefined ? index : heldId(item);
}
