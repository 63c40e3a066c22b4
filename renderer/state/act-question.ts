/**
 * The question before an act on everything that matches a filter: how many messages, of which topics and
 * apps.
 */
import type { Act } from '../../core/contract/acts.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { ACTS, CONFIRM } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import { count } from '../format/quantity.ts';
import type { What } from './messages-state.ts';
import { visibleShort } from '../format/visible-text.ts';

/** Number of the newest messages whose topics and apps are named. */
const LOOKED_AT = 500;
const NAMED = 5;

type Matching = Extract<What, { readonly filter: string }>;

/** Different names in order, at most five. */
export function distinct(names: readonly string[]): string {
  const all = [...new Set(names)];
  const shown = all.slice(0, NAMED).map(visibleShort).join(', ');
  return all.length > NAMED ? fill(CONFIRM.andMore, { names: shown, n: all.length - NAMED }) : shown;
}

/**
 * Title and text of the question; undefined: nothing matches.
 * @throws RpcFailure if the host cannot say what matches
 */
export async function askOfFilter(
  call: RpcClient['call'],
  which: Act,
  what: Matching,
): Promise<{ readonly title: string; readonly text: string } | undefined> {
  const { items, total } = await call('messages.list', { ...what, limit: LOOKED_AT });
  if (total === 0) return undefined;
  const { filter } = what;
  const apps = distinct(items.flatMap(({ deliveries }) => deliveries.map(({ appId }) => appId)));
  const text = fill(total > items.length ? CONFIRM.manyTextNewest : CONFIRM.manyText, {
    n: count(total),
    filter: filter === '' ? CONFIRM.everything : filter,
    topics: distinct(items.map(({ topic }) => topic)),
    apps: apps === '' ? CONFIRM.noApp : apps,
    looked: count(items.length),
  });
  return { title: fill(CONFIRM.manyTitle, { title: ACTS[which], n: count(total) }), text };
}
