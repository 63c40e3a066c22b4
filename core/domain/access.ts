/**
 * Decides which app may publish and subscribe to which topic, by the settings of the pub/sub component.
 * Behaviour 9.
 */

export interface TopicScopes {
  /** Topics that may be used; empty: every topic. */
  readonly allowed: ReadonlySet<string>;
  readonly protected: ReadonlySet<string>;
  /** Topics that an app may publish to, by app id. */
  readonly publishing: ReadonlyMap<string, ReadonlySet<string>>;
  readonly subscription: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads `allowedTopics`, `protectedTopics`, `publishingScopes`, `subscriptionScopes`; names match in any letter case. */
export function readScopes(metadata: Readonly<Record<string, string>>): TopicScopes {
  const value = (name: string): string => {
    const lower = name.toLowerCase();
    const found = Object.entries(metadata).findLast(([key]) => key.toLowerCase() === lower);
    return (found?.[1] ?? '').replaceAll(' ', '');
  };
  return {
    allowed: topicSet(value('allowedTopics')),
    protected: topicSet(value('protectedTopics')),
    publishing: appTopics(value('publishingScopes')),
    subscription: appTopics(value('subscriptionScopes')),
  };
}

/** Whether an app may publish to a topic. Interface: a publish that the access controls forbid gets 403. */
export function mayPublish(scopes: TopicScopes, appId: string, topic: string): boolean {
  return isAllowed(scopes, scopes.publishing, appId, topic);
}

export function maySubscribe(scopes: TopicScopes, appId: string, topic: string): boolean {
  return isAllowed(scopes, scopes.subscription, appId, topic);
}

function isAllowed(
  scopes: TopicScopes,
  byApp: ReadonlyMap<string, ReadonlySet<string>>,
  appId: string,
  topic: string,
): boolean {
  if (scopes.allowed.size > 0 && !scopes.allowed.has(topic)) return false;
  const own = byApp.get(appId);
  if (own === undefined) return !scopes.protected.has(topic);
  return own.has(topic);
}

function topicSet(text: string): ReadonlySet<string> {
  return text === '' ? new Set() : new Set(text.split(','));
}

/**
 * Reads `app=topic,topic;app=…`. A part without `=` is skipped and text after a second `=` ignored. If an app
 * is named twice, both lists count.
 */
function appTopics(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const byApp = new Map<string, Set<string>>();
  for (const part of text.split(';')) {
    const [appId, topics] = part.split('=');
    if (appId === undefined || topics === undefined) continue;
    const known = byApp.get(appId) ?? new Set<string>();
    for (const topic of topics.split(',')) known.add(topic);
    byApp.set(appId, known);
  }
  return byApp;
}
