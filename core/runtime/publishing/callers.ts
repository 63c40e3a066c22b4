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

/** Number of callers that are kept; the HTTP parser limits the headers of each. */
const KEPT = 2000;

const isKey = (name: string): boolean => /(api-token|api-key|access-?key)$/i.test(name);

/** Keeps callers in two rings instead of a map: removing the oldest key of a map becomes slower with each key removed before it. */
export class Callers {
  readonly #messageIds: string[] = [];
  readonly #callers: GivenCaller[] = [];
  #next = 0;

  note(messageId: string, caller: GivenCaller): void {
    this.#messageIds[this.#next] = messageId;
    this.#callers[this.#next] = caller;
    this.#next = (this.#next + 1) % KEPT;
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
