/** Names of subjects, streams and consumers. No two topics share a subject or a stream that was created for one topic. */
import { createHash } from 'node:crypto';

/** Characters that a stream or consumer name must not contain, or that make it hard to read. */
const NOT_IN_NAMES = /[^\w-]/g;

/** Throws an Error with the reason when the topic cannot be the subject of a message. */
export function subjectOf(topic: string): string {
  const expected = 'words with dots between them, without spaces, * and >';
  if (topic === '' || /[\s*>\u0000-\u001f]/.test(topic) || topic.split('.').includes(''))
    throw new Error(
      `the topic ${JSON.stringify(topic)} cannot be a subject of JetStream; expected ${expected}`,
    );
  return topic;
}

/** Name of a stream that Sidelight creates for one topic. */
export function streamNameFor(topic: string): string {
  return safe(topic);
}

/**
 * Name of the durable consumer of a group on a topic; the same in every process. Group `a-b` on topic `c` and group `a` on `b-c` have
 * one name: where one stream keeps both topics, the second is refused, and the error asks for a `durableName`.
 */
export function consumerName(group: string, topic: string): string {
  return `${safe(group)}-${safe(topic)}`;
}

/** Key of a message at its broker, equal for every group and every delivery. The time is part of it, as a stream may be created again. */
export function brokerKey(stream: string, sequence: number, nanos: bigint): string {
  return createHash('sha256')
    .update(JSON.stringify([stream, sequence, String(nanos)]))
    .digest('hex')
    .slice(0, 24);
}

/** The text, or, if characters were replaced, the text with a digest that keeps it unique. */
function safe(text: string): string {
  const replaced = text.replaceAll(NOT_IN_NAMES, '_');
  if (replaced === text) return text;
  return `${replaced}_${createHash('sha256').update(text).digest('hex').slice(0, 6)}`;
}
