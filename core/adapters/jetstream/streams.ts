/** The stream that stores a topic: the one named in the settings, an existing one, or a new one. */
import { RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import { isAnswer, STREAM_NOT_FOUND } from './connection.ts';
import type { Connection } from './connection.ts';
import { streamNameFor } from './names.ts';
import type { JetStreamSettings } from './settings.ts';

/** Description of streams that Sidelight created. It adds subjects only to these. */
export const MADE_BY = 'Made by Sidelight.';
/** Error codes of the server: another client has just created a stream of that name, or one that stores the subject. */
const MADE_MEANWHILE: ReadonlySet<number> = new Set([10_058, 10_065]);
const TRIES = 3;
/** Maximum number of topics whose stream is remembered. Without it memory would grow with the number of topics. */
const MAX_KNOWN = 10_000;

/** Error of a stream that exists but does not store the topic. */
class StoresOthers extends Error {}

export class Streams {
  readonly #connection: Connection;
  readonly #settings: JetStreamSettings;
  readonly #known = new Map<string, Promise<string>>();

  constructor(connection: Connection, settings: JetStreamSettings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /**
   * Name of the stream. The server is asked once per topic, as long as the answer is remembered. Rejects with the server's error, and as
   * soon as the connection is lost.
   */
  of(topic: string): Promise<string> {
    const known = this.#known.get(topic);
    if (known !== undefined) return known;
    const found = this.#connection.abortOnDisconnect(this.#find(topic)).catch((error: unknown) => {
      if (this.#known.get(topic) === found) this.#known.delete(topic);
      throw error instanceof StoresOthers ? error : this.#connection.toError(error);
    });
    this.#known.set(topic, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return found;
  }

  /** Forgets the stream of a topic, so that the next `of` looks it up again: it may have been deleted. */
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

/** Subjects of a stream. A mirror has none, although the library's type says otherwise. */
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
