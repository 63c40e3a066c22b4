/** Topics of subscriptions that stand for several: a prefix and `*`. */

export function isTopicPattern(topic: string): boolean {
  return topic.endsWith('*');
}

/** The text before the `*` of a pattern: it matches the topics that begin with it and have at least one character more. */
export function prefixOf(pattern: string): string {
  return pattern.slice(0, -1);
}

/** Whether a subscription's topic matches a topic: it is equal, or a pattern whose prefix the topic continues. */
export function topicMatches(pattern: string, topic: string): boolean {
  if (pattern === topic) return true;
  if (!isTopicPattern(pattern)) return false;
  const prefix = prefixOf(pattern);
  return topic.length > prefix.length && topic.startsWith(prefix);
}
