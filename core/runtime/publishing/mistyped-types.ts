/** Content types that are nearly a type of JSON: each is said once in the log, as the publisher has no other way to learn of it. */
import type { MessageRow } from '../../contract/message.ts';
import { mediaTypeOf, meantJsonType } from '../../domain/content-type.ts';
import { NewestMap } from '../../domain/newest-map.ts';
import { jsonAsText } from '../../domain/publish-input.ts';
import type { Log } from '../../ports/log.ts';

/** Content types of topics that are remembered. The oldest makes room. */
const MAX_KNOWN = 200;

export class MistypedTypes {
  readonly #log: Log;
  readonly #known = new NewestMap<true>(MAX_KNOWN);

  constructor(log: Log) {
    this.#log = log;
  }

  /** Notes a message that was accepted with remarks. */
  note({ appId, pubsubname, topic, contentType, messageId, flags = [] }: MessageRow): void {
    const meant = meantJsonType(contentType);
    if (meant === undefined || !flags.includes(jsonAsText(contentType))) return;
    const key = [appId, pubsubname, topic, contentType].join('\n');
    if (this.#known.has(key)) return;
    this.#known.add(key, true);
    const text = `The content type of a message to ${topic} of ${pubsubname} is ${mediaTypeOf(contentType)}, so apps get its JSON as text. Did you mean ${meant}?`;
    this.#log.write('warn', 'publish', text, { messageId });
  }
}
