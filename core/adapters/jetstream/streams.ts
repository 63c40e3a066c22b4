/** The stream that stores a topic: the one that is named, the one that is there, or one that is made. */
import { RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import { isAnswer, STREAM_NOT_FOUND } from './connection.ts';
import type { Connection } from './connection.ts';
import { streamNameFor } from './names.ts';
import type { JetStreamSettings } from './settings.ts';

/** Says who made a stream: only such a stream is given more subjects. */
export const MADE_BY = 'Made by Sidelight.';
/** Somebody else has just made one of that name, or one that stores the subject. */
const MADE_MEANWHILE: ReadonlySet<number> = new Set([10_058, 10_065]);
const TRIES = 3;
/** Topics whose stream is remembered: a stream may take any number of them. */
const MOST_KNOWN = 10_000;

/** The server could be asked, and the stream is not for us. */
class StoresOthers extends Error {}

export class Streams {
  readonly #connection: Connection;
  readonly #settings: JetStreamSettings;
  readonly #known = new Map<string, Promise<string>>();

  constructor(connection: Connection, settings: JetStreamSettings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /** Name of the stream; asked once per topic, as long as it is remembered. Rejects with what the server said, at once when the connection goes. */
  of(topic: string): Promise<string> {
    const known = this.#known.get(topic);
    if (known !== undefined) return known;
    const found = this.#connection.untilAway(this.#find(topic)).catch((error: unknown) => {
      if (this.#known.get(topic) === found) this.#known.delete(topic);
      throw error instanceof StoresOthers ? error : this.#connection.say(error);
    });
    this.#known.set(topic, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return found;
  }

  /** Looks again at the next question: it may be gone. */
  forget(topic: string): void {
    this.#known.delete(topic);
  }

  async #find(topic: string): Promise<string> {
    for (let tries = 1; ; tries += 1) {
      try {
        return this.#settings.streamName === '' ? await this.#bySubject(topic) : await this.#byName(topic);
      } catch (error) {
        if (tries === TRIES || !isAnswer(error) || !MADE_MEANWHILE.has(error.code)) throw error;
      }
    }
  }

  async #bySubject(topic: string): Promise<string> {
    const { manager } = this.#connection.use();
    for await (const name of manager.streams.names(topic)) return name;
    const name = streamNameFor(topic);
    await this.#make(manager, name, topic);
    return name;
  }

  async #byName(topic: string): Promise<string> {
    const { manager } = this.#connection.use();
    const { streamName } = this.#settings;
    const info = await infoOf(manager, streamName);
    if (info === undefined) {
      await this.#make(manager, streamName, topic);
      return streamName;
    }
    const { description } = info.config;
    const subjects = subjectsOf(info.config);
    if (subjects.some((pattern) => covers(pattern, topic))) return streamName;
    if (description !== MADE_BY)
      throw new StoresOthers(
        `the stream ${streamName} does not store the subject ${topic}; it stores ${subjects.join(', ') || 'none'}`,
      );
    await manager.streams.update(streamName, { ...info.config, subjects: [...subjects, topic] });
    return streamName;
  }

  async #make(manager: JetStreamManager, name: string, topic: string): Promise<void> {
    const { replicas, memoryStorage } = this.#settings;
    await manager.streams.add({
      name,
      description: MADE_BY,
      subjects: [topic],
      retention: RetentionPolicy.Limits,
      storage: memoryStorage ? StorageType.Memory : StorageType.File,
      num_replicas: replicas,
    });
  }
}

/** True when the pattern of a stream takes the subject: `*` is one word, `>` the rest. */
export function covers(pattern: string, subject: string): boolean {
  const words = subject.split('.');
  const wanted = pattern.split('.');
  for (const [i, word] of wanted.entries()) {
    if (word === '>') return words.length > i;
    if (words[i] === undefined || (word !== '*' && word !== words[i])) return false;
  }
  return wanted.length === words.length;
}

/** A mirror has none, whatever its type says. */
function subjectsOf(config: { readonly subjects?: readonly string[] }): readonly string[] {
  return config.subjects ?? [];
}

async function infoOf(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (isAnswer(error) && error.code === STREAM_NOT_FOUND) return undefined;
    throw error;
  }
}
