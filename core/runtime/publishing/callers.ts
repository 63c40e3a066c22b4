/** Callers of the latest publishes, for the detail view of a message. They are kept in memory only, not in the journal. */
import type { Caller } from '../../contract/message.ts';
import { redactHeaders } from '../../domain/redact.ts';

/** The caller as the HTTP edge knows it. */
export interface GivenCaller {
  /** Address and port. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Id of the entry, in a bulk request. */
  readonly entryId?: string;
}

/** Number of callers that are kept. */
const KEPT = 2000;
/**
 * Estimated bytes of memory of all their headers and ids of entries: usual ones take a few megabytes, but a caller may send a thousand short
 * headers, and an id of megabytes.
 */
const KEPT_BYTES = 16 * 1024 * 1024;
/** Estimated bytes of memory for a header, without its characters. */
const HEADER_MEMORY = 160;

const isKey = (name: string): boolean => /(api-token|api-key|access-?key)$/i.test(name);

/** Keeps callers in two rings instead of a map: removing the oldest key of a map becomes slower with each key removed before it. */
export class Callers {
  readonly #messageIds: string[] = [];
  readonly #callers: (GivenCaller | undefined)[] = [];
  readonly #bytes: number[] = [];
  #next = 0;
  #oldest = 0;
  #total = 0;
  #lastHeaders: GivenCaller['headers'] | undefined;

  note(messageId: string, caller: GivenCaller): void {
    const at = this.#next;
    this.#forget(at);
    // The entries of a bulk request have the same headers, which are in memory once.
    const ofHeaders = caller.headers === this.#lastHeaders ? 0 : headersMemory(caller.headers);
    const bytes = ofHeaders + 2 * (caller.entryId?.length ?? 0);
    this.#lastHeaders = caller.headers;
    this.#messageIds[at] = messageId;
    this.#callers[at] = caller;
    this.#bytes[at] = bytes;
    this.#total += bytes;
    this.#next = (at + 1) % KEPT;
    if (this.#oldest === at && this.#callers.length === KEPT) this.#oldest = this.#next;
    while (this.#total > KEPT_BYTES && this.#oldest !== at) {
      this.#forget(this.#oldest);
      this.#oldest = (this.#oldest + 1) % KEPT;
    }
  }

  #forget(at: number): void {
    if (this.#callers[at] === undefined) return;
    this.#total -= this.#bytes[at] ?? 0;
    this.#messageIds[at] = '';
    this.#callers[at] = undefined;
  }

  /** Caller of a message. Values of headers with keys are masked. */
  of(messageId: string): Caller | undefined {
    const given = this.#callers[this.#messageIds.indexOf(messageId)];
    if (given === undefined) return undefined;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(given.headers)) {
      if (value === undefined) continue;
      headers[name] = typeof value === 'string' ? value : value.join(', ');
    }
    return { ...given, headers: redactHeaders(headers, Object.keys(headers).filter(isKey)) };
  }
}

function headersMemory(headers: GivenCaller['headers']): number {
  let bytes = 0;
  for (const name in headers) {
    const value = headers[name];
    bytes += HEADER_MEMORY + name.length;
    if (typeof value === 'string') bytes += value.length;
    else for (const one of value ?? []) bytes += HEADER_MEMORY + one.length;
  }
  return bytes;
}
