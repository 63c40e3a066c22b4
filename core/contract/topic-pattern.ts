/** Topics of subscriptions that stand for several: a prefix and `*`. */

export function isTopicPattern(topic: string): boolean {
  return topic.endsWith('*');
}

/**
 * Whether a subscription's topic matches a topic: it is equal, or `prefix*` and the topic has at least one
 * character more.
 */
export function topicMatches(pattern: string, topic: string): boolean {
  if (pattern === topic) return true;
  if (!isTopicPattern(pattern)) return false;
  const prefix = pattern.slice(0, -1);
  return topic.length > prefix.length && topic.startsWith(prefix);
}
