/** Logs publishes that got an error: the first of a kind at once, repetitions as a number. */
import { clause } from '../contract/error-text.ts';
import { cutText } from '../domain/codec.ts';
import type { Cancel, Clock } from '../ports/clock.ts';

/** A refused publish over HTTP or gRPC; `status` is the HTTP status or the name of the gRPC code. */
export interface RefusedPublish {
  /** Method over HTTP; absent: POST, or gRPC. */
  readonly method?: string;
  readonly path: string;
  readonly status: number | string;
  readonly reason: string;
  /** True if a request is above the limit of one body or message. Over gRPC nobody has read its topic. */
  readonly isTooLarge?: true;
  /** True if the connection ended in the middle of the request, so that nobody read the answer. */
  readonly isCutOff?: true;
}

const AGAIN_MS = 10_000;
/** Maximum number of kinds that are counted at a time; each refusal of a further kind is a line. */
const MAX_KINDS = 200;
/** Characters of a kind that are kept, as many as the log shows. Names over gRPC have up to the size of a request. */
const MAX_KIND_LENGTH = 4000;

export class RefusedPublishes {
  readonly #clock: Clock;
  readonly #write: (text: string) => void;
  readonly #kinds = new Map<string, { more: number; readonly cancel: Cancel }>();
  #isClosed = false;

  constructor(clock: Clock, write: (text: string) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  /** @param remedy what to do about it; undefined: the reason says it */
  report({ path, status, reason, isCutOff, method = 'POST' }: RefusedPublish, remedy?: string): void {
    const name = cutText(path, MAX_KIND_LENGTH / 2);
    const verb = path.startsWith('/') ? `${method} ` : '';
    const became = isCutOff === true ? 'was not received' : `was answered ${status}`;
    const said = remedy === undefined ? reason : `${clause(reason)}. ${remedy}`;
    const text = cutText(`${verb}${name} ${became}: ${said}`, MAX_KIND_LENGTH);
    const known = this.#kinds.get(text);
    if (known !== undefined) {
      known.more += 1;
      return;
    }
    this.#write(text);
    // A timer that begins after the end would keep the process from ending.
    if (this.#isClosed || this.#kinds.size >= MAX_KINDS) return;
    const cancel = this.#clock.at(this.#clock.now() + AGAIN_MS, () => this.#end(text));
    this.#kinds.set(text, { more: 0, cancel });
  }

  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#kinds.values()) cancel();
    this.#kinds.clear();
  }

  #end(text: string): void {
    const more = this.#kinds.get(text)?.more ?? 0;
    this.#kinds.delete(text);
    if (more > 0) this.#write(`${text} (${more} more times within ${AGAIN_MS / 1000} s)`);
  }
}
