/** Names of components, and their search. */
import { theAppFirst } from '../../../core/contract/app-text.ts';
import { mayUse, onlyForText } from '../../../core/contract/component-scopes.ts';
import type { ComponentRow, SubscriptionRow } from '../../../core/contract/subscription.ts';
import { fill } from '../../copy/fill.ts';
import { COMPONENTS } from '../../copy/topics.ts';
import { shownStanding } from '../../format/component.ts';

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
export function findComponents(
  items: readonly ComponentRow[],
  text: string,
  appIds?: readonly string[],
): readonly ComponentRow[] {
  const wanted = text.trim().toLowerCase();
  return items.filter((item) => {
    const state = COMPONENTS.states[shownStanding(item, appIds)];
    const texts = [nameOf(item, items), item.type, item.file ?? '', state];
    return texts.some((where) => where.toLowerCase().includes(wanted));
  });
}

/**
 * A sentence for each app that subscribes to topics of the component and may not use it.
 * @param items all components: an app may have another one of the same name
 */
export function leftOutOf(
  item: ComponentRow,
  items: readonly ComponentRow[],
  subscriptions: readonly Pick<SubscriptionRow, 'appId' | 'pubsubname' | 'topic'>[],
): readonly string[] {
  const topics = new Map<string, Set<string>>();
  for (const { appId, pubsubname, topic } of subscriptions) {
    if (pubsubname !== item.name || items.some((one) => one.name === item.name && mayUse(one, appId)))
      continue;
    topics.set(appId, (topics.get(appId) ?? new Set()).add(topic));
  }
  return [...topics].map(([appId, of]) =>
    fill(COMPONENTS.leftOut, {
      app: theAppFirst(appId),
      topics: [...of].join(', '),
      name: item.name,
      only: onlyForText([item], appId),
    }),
  );
}
