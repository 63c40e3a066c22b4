/**
 * What a publisher probably did not mean: a content type that is nearly a type of JSON, and a time to live that is no duration, or has a
 * name or place in which it has no effect. Each is said once in the log, as the publisher has no other way to learn of it.
 */
import type { MessageRow } from '../../contract/message.ts';
import { mediaTypeOf, meantJsonType } from '../../domain/content-type.ts';
import { NewestMap } from '../../domain/newest-map.ts';
import { jsonAsText } from '../../domain/publish-input.ts';
import { ttlMistake } from '../../domain/ttl-notes.ts';
import type { Log } from '../../ports/log.ts';

/** Content types, and times to live, of topics that are remembered. The oldest makes room. */
const MAX_KNOWN = 200;

type Remarked = Pick<MessageRow, 'appId' | 'pubsubname' | 'topic' | 'contentType' | 'messageId' | 'flags'>;

export class PublishRemarks {
  readonly #log: Log;
  readonly #known = new NewestMap<true>(MAX_KNOWN);

  constructor(log: Log) {
    this.#log = log;
  }

  /** Notes a message that was accepted with remarks. */
  note(message: Remarked): void {
    this.#noteType(message);
    this.#noteTtl(message);
  }

  #noteType(message: Remarked): void {
    const { pubsubname, topic, contentType, flags = [] } = message;
    const meant = meantJsonType(contentType);
    if (meant === undefined || !flags.includes(jsonAsText(contentType))) return;
    const text = `The content type of a message to ${topic} of ${pubsubname} is ${mediaTypeOf(contentType)}, so apps get its JSON as text. Did you mean ${meant}?`;
    this.#once(message, contentType, text);
  }

  #noteTtl(message: Remarked): void {
    for (const note of message.flags ?? []) {
      // The value may be another one in each message of a flood, the mistake is the same.
      const mistake = ttlMistake(note);
      if (mistake !== undefined)
        this.#once(
          message,
          mistake,
          `A message to ${message.topic} of ${message.pubsubname}: ${note.replace(/^T/, 't')}`,
        );
    }
  }

  #once({ appId, pubsubname, topic, messageId }: Remarked, about: string, text: string): void {
    const key = [appId, pubsubname, topic, about].join('\n');
    if (this.#known.has(key)) return;
    this.#known.add(key, true);
    this.#log.write('warn', 'publish', text, { messageId });
  }
}
