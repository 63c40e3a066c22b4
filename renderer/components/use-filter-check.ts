/** Asks the host whether a filter is valid, and for its completions. */
import { useEffect, useRef, useState } from 'react';
import type { Result } from '../../core/contract/console.ts';
import type { RpcFailure } from '../client/rpc-client.ts';
import { withDay } from '../format/clock-terms.ts';
import { openOptions } from '../format/filter-words.ts';
import { whenOpen } from '../state/connection.ts';
import { useConsole } from '../state/context.ts';
import { asFailure } from '../state/resource.ts';

export type Completion = Result<'filter.complete'>['items'][number];
export type FilterCheck = Result<'filter.check'>;

export interface FilterChecks {
  readonly check: FilterCheck;
  /** The options that change the text. */
  readonly items: readonly Completion[];
  /** Whether the word at the cursor is one that the host offers, so that nothing is begun. */
  readonly isWhole: boolean;
  /** Text for which the items were requested; during typing it is a little old. undefined: nobody requested them. */
  readonly askedFor: string | undefined;
  /** Shows items that the host was not asked for. */
  readonly offer: (items: readonly Completion[]) => void;
  /**
   * Asks at once, or without a connection when it is back.
   * @returns whether the filter is valid
   */
  readonly ask: (text: string, cursor: number | undefined) => Promise<boolean>;
  /** Asks after a pause in typing, then reports whether the filter is valid. */
  readonly askSoon: (text: string, cursor: () => number, then: (ok: boolean) => void) => void;
  readonly cancel: () => void;
  readonly reset: () => void;
}

const REST_MS = 120;

/** A refusal as a mistake of the filter. */
function mistakeOf({ message, expected = '' }: RpcFailure): NonNullable<FilterCheck['error']> {
  return { position: 1, length: 0, found: '', expected, message };
}

/** Checks and completions of one field; answers to older questions are ignored. */
function useFilterCheck(): FilterChecks {
  const { call, connection } = useConsole();
  const [check, setCheck] = useState<FilterCheck>({ ok: true });
  const [items, setItems] = useState<readonly Completion[]>([]);
  const [isWhole, setWhole] = useState(false);
  const [askedFor, setAskedFor] = useState<string>();
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
      setCheck(withDay(text, checked));
      if (completed !== undefined && cursor !== undefined) {
        const open = openOptions(completed.items, text, cursor);
        setItems(open);
        setWhole(open.length < completed.items.length);
        setAskedFor(text);
      }
      return checked.ok;
    } catch (reason) {
      const failure = asFailure(reason);
      if (failure.code !== 'CONNECTION_LOST') {
        // A text that the host does not even read, such as one that is too long, has no place of its mistake.
        if (mine === round.current) setCheck({ ok: false, error: mistakeOf(failure) });
        return false;
      }
      // The connection bar reports it. The text typed meanwhile is checked when the connection is back.
      await whenOpen(connection);
      return mine === round.current && askFor(mine, text, cursor);
    }
  }

  return {
    check,
    items,
    isWhole,
    askedFor,
    offer(offered) {
      setItems(offered);
      setAskedFor(undefined);
    },
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

/**
 * Checks and completions of a field that is given its filter, as by a link or a view. Nobody has said yet whether such a filter is valid, so
 * it is checked at once.
 * @returns the checks, and a function that notes a filter that was typed in the field and is checked already
 */
export function useGivenFilter(given: string): {
  readonly asked: FilterChecks;
  readonly noteChecked: (filter: string) => void;
} {
  const asked = useFilterCheck();
  const { ask, cancel, reset } = asked;
  const checked = useRef('');
  useEffect(() => {
    if (given === checked.current) return;
    checked.current = given;
    if (given === '') reset();
    else {
      cancel();
      void ask(given, undefined);
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the functions are made again at each drawing
  }, [given]);
  return {
    asked,
    noteChecked(filter) {
      checked.current = filter;
    },
  };
}
