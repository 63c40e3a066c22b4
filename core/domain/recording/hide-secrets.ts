/** Removes secret values from an export, wherever they appear. The text around them stays unchanged. */
import { textOf } from '../codec.ts';
import type { Codec, Wire } from '../codec.ts';
import { isObject, tryParse } from '../json.ts';
import { MASK } from './mask.ts';
import type { RecordedMessage } from './recorded.ts';

/** Members with names that people choose. */
const NAMED = new Set(['headers', 'metadata', 'broker']);
/**
 * Members of a message that hold only words, times and ids of the product. A secret that equals one of them
 * reveals nothing there.
 */
const OURS: ReadonlySet<string> = new Set([
  ...['messageId', 'deliveryId', 'attemptId', 'batchId', 'replayOf', 'replayedAs', 'traceId'],
  ...['at', 'startedAt', 'endedAt', 'nextAttemptAt', 'expiresAt'],
  ...['source', 'state', 'stage', 'from', 'to', 'cause', 'rule', 'heldAt', 'code', 'policy'],
]);
const NOTHING: ReadonlySet<string> = new Set();
/** Strings and numbers of a JSON text. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const MASKED = JSON.stringify(MASK);

export interface SecretHiding {
  message(recorded: RecordedMessage): RecordedMessage;
  /** A copy of subscriptions or rules without the secrets; names of members stay. */
  setup<T>(value: T): T;
}

/**
 * Makes a function that hides secrets.
 * @param secrets the longest first, so that one that contains another is removed whole
 */
export function hideSecrets(secrets: readonly string[], codec: Codec): SecretHiding {
  if (secrets.length === 0) return { message: (recorded) => recorded, setup: (value) => value };

  /** Hides secrets in plain text, also in the escaped form that cut JSON has. */
  function plain(text: string): string {
    return secrets.reduce(
      (hidden, secret) =>
        hidden.replaceAll(secret, MASK).replaceAll(JSON.stringify(secret).slice(1, -1), MASK),
      text,
    );
  }

  /** Hides secrets in a text. JSON stays valid JSON, and every other digit stays the same. */
  function inText(text: string): string {
    if (!text.includes('\\') && !secrets.some((secret) => text.includes(secret))) return text;
    if (!/^\s*[[{"]/.test(text) || tryParse(text) === undefined) return plain(text);
    return text.replaceAll(TOKEN, (token) => {
      if (!token.startsWith('"')) return secrets.includes(token) ? MASKED : token;
      const value = JSON.parse(token) as string;
      const hidden = inText(value);
      return hidden === value ? token : JSON.stringify(hidden);
    });
  }

  function inWire(wire: Wire): Wire {
    const text = textOf(wire, codec);
    const hidden = inText(text);
    return hidden === text ? wire : hidden;
  }

  function walk(value: unknown, ours: ReadonlySet<string>): unknown {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map((item: unknown) => walk(item, ours));
    if (!isObject(value) || value instanceof Uint8Array) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        typeof member === 'string' && ours.has(name)
          ? member
          : walk(member, NAMED.has(name) ? NOTHING : ours),
      ]),
    );
  }

  return {
    message({ message, deliveries }) {
      // Only texts are replaced, by texts, so everything keeps its type.
      const shown = walk({ message: { ...message, wire: '' }, deliveries }, OURS) as RecordedMessage;
      return {
        message: { ...shown.message, wire: inWire(message.wire) },
        deliveries: shown.deliveries.map((each, i) => {
          const changedWire = deliveries[i]?.delivery.changedWire;
          return changedWire === undefined
            ? each
            : { ...each, delivery: { ...each.delivery, changedWire: inWire(changedWire) } };
        }),
      };
    },
    setup: <T>(value: T) => walk(value, NOTHING) as T,
  };
}
