/** The newest requests that the mock app received. */
import { cutPlace } from '../contract/cut-place.ts';
import type { MockRequest } from '../contract/mock-app.ts';
import { startOf } from '../domain/codec.ts';

export const REQUESTS_KEPT = 1_000;
/** Most characters of all kept lines together; with the texts of real apps 1,000 lines take a fifth of it. */
export const CHARACTERS_KEPT = 512 * 1024;
/** Most characters of each text of a line: a path, a topic or an id may be as long as a request. */
const MAX_TEXT = 1_000;

/** Facts about a request that become known after it arrived. */
export type LaterFacts = Partial<Omit<MockRequest, 'at' | 'method' | 'path'>>;

/** Adds facts to a line; without effect once the line was dropped from the log. */
export type AddFacts = (facts: LaterFacts) => void;

interface Kept {
  line: MockRequest;
  characters: number;
}

/** Lines of requests, newest last. */
export class RequestLog {
  #kept: Kept[] = [];
  /** Number of lines at the beginning of `#kept` that are dropped. */
  #dropped = 0;
  #characters = 0;

  /** Number of lines so far, or since `count` was set to 0. */
  count = 0;

  open(given: MockRequest): AddFacts {
    this.count += 1;
    const line = shortTexts(given);
    const kept = { line, characters: charactersOf(line) };
    this.#kept.push(kept);
    this.#characters += kept.characters;
    this.#drop();
    return (facts) => this.#add(kept, facts);
  }

  lines(): readonly MockRequest[] {
    return this.#kept.slice(this.#dropped).map(({ line }) => ({ ...line }));
  }

  #add(kept: Kept, facts: LaterFacts): void {
    // A dropped line has no characters.
    if (kept.characters === 0) return;
    this.#characters -= kept.characters;
    kept.line = shortTexts({ ...kept.line, ...facts });
    kept.characters = charactersOf(kept.line);
    this.#characters += kept.characters;
    this.#drop();
  }

  #drop(): void {
    while (this.#kept.length - this.#dropped > REQUESTS_KEPT || this.#characters > CHARACTERS_KEPT) {
      const oldest = this.#kept[this.#dropped];
      if (oldest === undefined) return;
      this.#characters -= oldest.characters;
      oldest.characters = 0;
      this.#dropped += 1;
    }
    // Lines are removed once they are half of all: removing one at a time would move all others at every request.
    if (2 * this.#dropped < this.#kept.length) return;
    this.#kept = this.#kept.slice(this.#dropped);
    this.#dropped = 0;
  }
}

/** The line with its long texts cut, so that it keeps nothing of a request in memory. */
function shortTexts(line: MockRequest): MockRequest {
  const { method, path, topic, eventId, note } = line;
  return {
    ...line,
    method: short(method),
    path: short(path),
    ...(topic === undefined ? {} : { topic: short(topic) }),
    ...(eventId === undefined ? {} : { eventId: short(eventId) }),
    ...(note === undefined ? {} : { note: short(note) }),
  };
}

function short(text: string): string {
  return text.length <= MAX_TEXT ? text : `${startOf(text, cutPlace(text, MAX_TEXT))}…`;
}

function charactersOf({
  method,
  path,
  topic = '',
  eventId = '',
  note = '',
  answeredBy,
}: MockRequest): number {
  const by = (answeredBy?.ruleId.length ?? 0) + (answeredBy?.name?.length ?? 0);
  return method.length + path.length + topic.length + eventId.length + note.length + by;
}
