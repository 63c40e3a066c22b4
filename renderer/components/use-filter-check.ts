/** Asks the host whether a filter can be read and how it could go on. */
import { useEffect, useRef, useState } from 'react';
import type { Result } from '../../core/contract/console.ts';
import { RpcFailure } from '../client/rpc-client.ts';
import { whenOpen } from '../state/connection.ts';
import { useConsole } from '../state/context.ts';

export type Completion = Result<'filter.complete'>['items'][number];
export type FilterCheck = Result<'filter.check'>;

export interface FilterChecks {
  readonly check: FilterCheck;
  readonly items: readonly Completion[];
  /** The text that the items are for; while typing goes on they are those of a moment ago. */
  readonly askedFor: string;
  readonly setItems: (items: readonly Completion[]) => void;
  /** Asks at once; while the connection is away, as soon as it is back. @returns whether the filter can be read */
  readonly ask: (text: string, cursor: number | undefined) => Promise<boolean>;
  /** Asks when typing rests, then tells whether the filter can be read. */
  readonly askSoon: (text: string, cursor: () => number, then: (ok: boolean) => void) => void;
  readonly cancel: () => void;
  readonly reset: () => void;
}

const REST_MS = 120;

/** Checks and completions of one field; answers to older questions are void. */
export function useFilterCheck(): FilterChecks {
  const { call, connection } = useConsole();
  const [check, setCheck] = useState<FilterCheck>({ ok: true });
  const [items, setItems] = useState<readonly Completion[]>([]);
  const [askedFor, setAskedFor] = useState('');
  const round = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = (): void => clearTimeout(timer.current);
  useEffect(
    () => () => {
      round.current += 1;
      clearTimeout(timer.current);
    },
    [],
  );

  async function ask(text: string, cursor: number | undefined): Promise<boolean> {
    round.current += 1;
    return askFor(round.current, text, cursor);
  }

  async function askFor(mine: number, text: string, cursor: number | undefined): Promise<boolean> {
    try {
      const [checked, completed] = await Promise.all([
        call('filter.check', { filter: text }),
        cursor === undefined ? undefined : call('filter.complete', { filter: text, cursor }),
      ]);
      if (mine !== round.current) return false;
      setCheck(checked);
      if (completed !== undefined) {
        setItems(completed.items);
        setAskedFor(text);
      }
      return checked.ok;
    } catch (reason) {
      // Another failure is told with the next key; the field stays usable.
      if (!(reason instanceof RpcFailure) || reason.code !== 'CONNECTION_LOST') return false;
      // The connection bar tells. What was typed meanwhile is not lost: it is asked about when there is somebody to ask.
      await whenOpen(connection);
      return mine === round.current && askFor(mine, text, cursor);
    }
  }

  return {
    check,
    items,
    askedFor,
    setItems,
    ask,
    askSoon(text, cursor, then) {
      cancel();
      timer.current = setTimeout(() => void ask(text, cursor()).then(then), REST_MS);
    },
    cancel,
    reset() {
      round.current += 1;
      cancel();
      setCheck({ ok: true });
      setItems([]);
    },
  };
}
