/** Names of components, and their search. */
import type { ComponentRow } from '../../../core/contract/subscription.ts';
import { fill } from '../../copy/fill.ts';
import { COMPONENTS } from '../../copy/topics.ts';
import { standingOf } from '../../format/component.ts';

/** Name of a component. If it has an instance for each app, the name includes the app. */
export function nameOf(
  { name, scopes, file, document }: ComponentRow,
  items: readonly ComponentRow[],
): string {
  const isOneOfSeveral = items.some(
    (other) =>
      other.name === name &&
      other.file === file &&
      other.document === document &&
      other.scopes.join() !== scopes.join(),
  );
  return isOneOfSeveral ? fill(COMPONENTS.instanceOf, { name, apps: scopes.join(', ') }) : name;
}

/** Components whose name, type, file or state contains the text; all for an empty one. */
export function findComponents(items: readonly ComponentRow[], text: string): readonly ComponentRow[] {
  const wanted = text.trim().toLowerCase();
  return items.filter((item) =>
    [nameOf(item, items), item.type, item.file ?? '', COMPONENTS.states[standingOf(item)]].some((where) =>
      where.toLowerCase().includes(wanted),
    ),
  );
}
