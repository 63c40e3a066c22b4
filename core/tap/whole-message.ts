/** Recognises bytes that are exactly one plain message: they may go on unread, because nothing in them changes how they are handled. */

/** Maximum number of bytes of such a message; a longer one is read before it goes on. */
const MAX_BYTES = 16 * 1024;
const HEAD_END = '\r\n\r\n';
const REQUEST = /^(?:POST|PUT) \S+ HTTP\/1\.[01]\r\n/;
const RESPONSE = /^HTTP\/1\.1 ([2-5]\d\d)[ \r]/;
/** Parts of a head that need a closer look before the message may go on: some words, and an empty line whose lines end with LF alone. */
const DECIDES = /upgrade|expect|transfer-encoding|\n\r?\n/i;
const LENGTH = /\r\ncontent-length:[ \t]*(\d{1,9})(?:\r|$)/i;
/** Answers that have no body, whatever their head says. */
const WITHOUT_BODY: ReadonlySet<string | undefined> = new Set(['204', '304']);

/** Head of a request that is exactly these bytes, a POST or PUT without an upgrade and without `Expect`; undefined: it is anything else. */
export function wholeRequest(bytes: Buffer): string | undefined {
  const head = headOf(bytes);
  if (head === undefined || !REQUEST.test(head)) return undefined;
  return bodyAt(head) + (lengthIn(head) ?? 0) === bytes.length ? head : undefined;
}

/** Head of an answer to a POST or PUT that is exactly these bytes; undefined: it is anything else. */
export function wholeResponse(bytes: Buffer): string | undefined {
  const head = headOf(bytes);
  const status = head === undefined ? undefined : RESPONSE.exec(head)?.[1];
  if (head === undefined || status === undefined) return undefined;
  const length = WITHOUT_BODY.has(status) ? 0 : lengthIn(head);
  return length !== undefined && bodyAt(head) + length === bytes.length ? head : undefined;
}

/** Where the body of a whole message begins. */
export function bodyAt(head: string): number {
  return head.length + HEAD_END.length;
}

/** The lines of the head; undefined: there is no whole one, or it has to be read first. */
function headOf(bytes: Buffer): string | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  return DECIDES.test(head) ? undefined : head;
}

function lengthIn(head: string): number | undefined {
  const text = LENGTH.exec(head)?.[1];
  return text === undefined ? undefined : Number(text);
}
