/** JSON-RPC 2.0: text in, text out, independent of carriers and callers. */
import { METHODS } from '../contract/console.ts';
import type { Method } from '../contract/console.ts';
import { MAX_BATCH_ANSWER, MAX_RPC_BATCH } from '../contract/rpc.ts';
import type { RpcError, RpcId, RpcResponse } from '../contract/rpc.ts';
import { sizeLimit } from '../contract/size-text.ts';
import { MAX_DEPTH, firstValue, isObject, nestsTooDeep } from '../domain/json.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Caller, MethodTable } from './caller.ts';
import { encodeMembers } from './encode-members.ts';
import { LargeReads } from './large-reads.ts';
import { cutPayloads, joinPayloads, mayPublish } from './payload-texts.ts';
import { beginPiece, nextPiece } from './pieces.ts';
import { internalError, plainError, rpcErrorOf } from './rpc-error.ts';
import type { RpcErrorPorts } from './rpc-error.ts';
import { checkParams, isMethod } from './params/check.ts';
import type { ToIds } from './message-ids.ts';
import { idInText, tooManyMembers, tooManyValues } from './request-values.ts';
import { yieldToOthers } from './stream/yield-to-others.ts';

/** Characters from which on a text is read in a turn of the event loop of its own: ten of 4 MiB after each other would take a second. */
const LARGE_TEXT = 256 * 1024;

const ACKNOWLEDGES: Method = 'stream.ack';

/** Answers a text; undefined: no answer (notifications). Never rejects. */
export type Dispatch = (text: string, caller: Caller) => Promise<string | undefined>;

/**
 * Answers single requests and batches of at most 50 (TOO_LARGE above, nothing is run). The requests of a batch run one after the other, until
 * their answers are too long together. Requests without `id` are run and not answered, unless they are refused unread. An act is answered
 * once what it did is on disk.
 * @param settled resolves when everything that was done so far is on disk
 * @param toIds gives the parameters ids in place of numbers of messages
 */
export function createDispatch(
  table: MethodTable,
  ports: RpcErrorPorts,
  settled: () => Promise<void>,
  toIds: ToIds = (params) => params,
): Dispatch {
  const context = { table, ports, settled, toIds, reads: new LargeReads() };
  const large = new LargeTexts();
  return async (text, caller) => {
    const isLarge = text.length >= LARGE_TEXT;
    const isRead = isLarge ? await large.turn(caller.signal) : undefined;
    const read = isLarge && mayPublish(text) ? await readInPieces(text) : readRequest(text);
    if (isRead !== undefined) {
      // To run what was read may take as long again, so other work goes on before it.
      await yieldToOthers();
      isRead();
    }
    if ('error' in read) return read.error;
    const before = isLarge || isAcknowledgement(read.value) ? undefined : large.of(caller.signal);
    if (before !== undefined) await before;
    return Array.isArray(read.value)
      ? answerBatch(read.value, caller, context)
      : answerOne(read.value, caller, context);
  };
}

/** The value of a text, or the answer to a text that is not read. */
type Read = { readonly value: unknown } | { readonly error: string };

function readRequest(text: string): Read {
  const tooMany = tooManyOf(text);
  if (tooMany !== undefined) return tooMany;
  const read = firstValue(text);
  if (read === undefined || read.trailing) return { error: encodeError(null, unreadable(text)) };
  return { value: read.value };
}

/** Does what `readRequest` does, with its large payloads as they are written, and other work in between. */
async function readInPieces(text: string): Promise<Read> {
  const tooMany = tooManyOf(text);
  if (tooMany !== undefined) return tooMany;
  await yieldToOthers();
  if (nestsTooDeep(text)) return { error: encodeError(null, unreadable(text)) };
  const cut = cutPayloads(text);
  await yieldToOthers();
  return joinPayloads(cut) ?? { error: encodeError(null, unreadable(text)) };
}

function tooManyOf(text: string): { readonly error: string } | undefined {
  const tooMany = tooManyValues(text) ?? tooManyMembers(text);
  if (tooMany === undefined) return undefined;
  const id = idInText(text);
  return { error: encodeError(isId(id) ? (id ?? null) : null, tooMany) };
}

async function answerBatch(
  batch: readonly unknown[],
  caller: Caller,
  context: DispatchContext,
): Promise<string | undefined> {
  const refusal = refusalOfBatch(batch);
  if (refusal !== undefined) return encodeError(null, refusal);
  const answers: string[] = [];
  let length = 0;
  beginPiece();
  for (const [index, request] of batch.entries()) {
    const room = index === 0 ? undefined : nextPiece();
    if (room !== undefined) await room;
    const id = length > MAX_BATCH_ANSWER ? idOf(request) : undefined;
    const answer =
      id === undefined ? await answerOne(request, caller, context) : encodeError(id, batchFull());
    if (answer === undefined) continue;
    answers.push(answer);
    length += answer.length;
  }
  return answers.length === 0 ? undefined : `[${answers.join(',')}]`;
}

/** Turns of the event loop in which large texts are read, one after the other. */
class LargeTexts {
  #last = Promise.resolve();
  /** Resolves when the last large text of a client was read. */
  readonly #waiting = new WeakMap<AbortSignal, Promise<void>>();

  /** Resolves when a large text of a client may be read; call the function once it was, and what waits for it goes on behind the caller. */
  turn(client: AbortSignal): Promise<() => void> {
    let wasRead = (): void => undefined;
    const reading = new Promise<void>((resolve) => (wasRead = resolve));
    this.#waiting.set(client, reading);
    const turn = this.#last.then(yieldToOthers);
    this.#last = turn.then(() => reading);
    return turn.then(() => () => {
      if (this.#waiting.get(client) === reading) this.#waiting.delete(client);
      wasRead();
    });
  }

  /** What a smaller text of the client waits for, so that its requests run in their order; undefined: nothing. */
  of(client: AbortSignal): Promise<void> | undefined {
    return this.#waiting.get(client);
  }
}

/** Whether a request only acknowledges what the stream has sent, on which no other request depends. */
function isAcknowledgement(request: unknown): boolean {
  return isObject(request) && request['method'] === ACKNOWLEDGES;
}

function unreadable(text: string): Refusal {
  if (!nestsTooDeep(text)) return new Refusal('PARSE_ERROR');
  return new Refusal('PARSE_ERROR', { levels: String(MAX_DEPTH) }, { variant: 'depth' });
}

interface DispatchContext {
  readonly table: MethodTable;
  readonly ports: RpcErrorPorts;
  readonly settled: () => Promise<void>;
  readonly toIds: ToIds;
  readonly reads: LargeReads;
}

async function answerOne(
  request: unknown,
  caller: Caller,
  context: DispatchContext,
): Promise<string | undefined> {
  const { ports } = context;
  if (!isObject(request)) return encodeError(null, notARequest('expected an object'));
  const id = request['id'];
  const method = request['method'];
  if (!isId(id)) return encodeError(null, notARequest('id must be a string, a number or null'));
  if (request['jsonrpc'] !== '2.0') return encodeError(id ?? null, notARequest('jsonrpc must be "2.0"'));
  if (typeof method !== 'string') return encodeError(id ?? null, notARequest('method must be a string'));
  const params = request['params'] ?? {};
  let leave: (() => void) | undefined;
  try {
    // An acknowledgement of the stream counts at once, so nothing is waited for here in general.
    const entering = context.reads.enter(method, caller);
    if (entering !== undefined) leave = await entering;
    const result = await run(method, params, caller, context);
    return id === undefined ? undefined : await encodeResult(id, method, result ?? null);
  } catch (thrown) {
    // The client closed its connection, which cancelled the call and needs no answer.
    if (caller.signal.aborted && thrown === caller.signal.reason) return undefined;
    const error = rpcErrorOf(thrown, method, params, ports);
    if (id !== undefined) return encodeAnyError(id, error, method, ports);
    ports.log.write('warn', 'console', `A notification was refused: ${method}: ${error.message}`);
    return undefined;
  } finally {
    leave?.();
  }
}

/** Encodes an error. If a refusal's data cannot be JSON, that is a bug, and the client gets an internal error instead. */
function encodeAnyError(id: RpcId, error: RpcError, method: string, ports: RpcErrorPorts): string {
  try {
    return encode({ jsonrpc: '2.0', id, error });
  } catch (thrown) {
    return encode({ jsonrpc: '2.0', id, error: internalError(thrown, method, ports) });
  }
}

async function run(
  method: string,
  params: unknown,
  caller: Caller,
  { table, settled, toIds }: DispatchContext,
): Promise<unknown> {
  if (!isMethod(method)) throw new Refusal('METHOD_NOT_FOUND', { method }, { data: { method } });
  if (!isObject(params)) {
    const reason = 'params must be an object of named parameters';
    throw new Refusal('INVALID_PARAMS', { reason }, { field: 'params', expected: 'object' });
  }
  checkParams(method, params);
  const found = toIds(params);
  const named = found instanceof Promise ? await found : found;
  caller.onCall?.(method, named);
  const act: (params: never, caller: Caller) => unknown = table[method];
  // The check above guarantees this; the compiler cannot relate one method's schema to the same method's function.
  const result = await act(named as never, caller);
  if (METHODS[method].settles) await settled();
  return result;
}

function refusalOfBatch(batch: readonly unknown[]): Refusal | undefined {
  if (batch.length === 0) return notARequest('a batch must not be empty');
  if (batch.length <= MAX_RPC_BATCH) return undefined;
  const reason = `A batch has at most ${MAX_RPC_BATCH} requests, got ${batch.length}.`;
  return new Refusal('TOO_LARGE', { reason }, { expected: `at most ${MAX_RPC_BATCH} requests` });
}

function batchFull(): Refusal {
  const expected = `at most ${sizeLimit(MAX_BATCH_ANSWER)} of answers in a batch`;
  const reason = `This request was not run: the answers before it are longer than ${sizeLimit(MAX_BATCH_ANSWER)}.`;
  return new Refusal('TOO_LARGE', { reason }, { expected });
}

/** Id of a request that is to be answered; undefined: it has none, or is no request. */
function idOf(request: unknown): RpcId | undefined {
  const id = isObject(request) ? request['id'] : undefined;
  return isId(id) ? id : undefined;
}

function notARequest(reason: string): Refusal {
  return new Refusal('INVALID_REQUEST', { reason });
}

/** Whether the id is valid; undefined means that the request has no id and is a notification. */
function isId(id: unknown): id is RpcId | undefined {
  return id === undefined || id === null || typeof id === 'string' || typeof id === 'number';
}

function encodeError(id: RpcId, refusal: Refusal): string {
  const error: RpcError = plainError(refusal);
  return encode({ jsonrpc: '2.0', id, error });
}

/** Method whose answer may be larger than a message. */
const LARGE_RESULT: Method = 'messages.get';

async function encodeResult(id: RpcId, method: string, result: unknown): Promise<string> {
  if (method !== LARGE_RESULT || !isObject(result)) return encode({ jsonrpc: '2.0', id, result });
  // Parsing the message has just blocked all other work, so that work runs first.
  await yieldToOthers();
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${await encodeMembers(result)}}`;
}

function encode(response: RpcResponse): string {
  return JSON.stringify(response);
}
