/** The one place where whatever was thrown becomes a JSON-RPC error. */
import { errorText } from '../contract/error-text.ts';
import { ERRORS } from '../contract/errors.ts';
import type { ErrorRow } from '../contract/errors.ts';
import type { RpcError } from '../contract/rpc.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { Refusal } from '../domain/refusal.ts';
import type { IdSource } from '../ports/ids.ts';
import { JournalError } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';

/**
 * Answer of the sidecar's HTTP route to a refused publish; `metadata` is the publish's own. Injected, because the HTTP edge is another
 * room.
 */
export type PublishAnswer = (
  refusal: Refusal,
  route: 'publish' | 'bulk',
  metadata: Readonly<Record<string, string>>,
) => { readonly status: number; readonly body: unknown };

export interface RpcErrorPorts {
  readonly log: Log;
  readonly ids: IdSource;
  readonly publishAnswer: PublishAnswer;
}

/**
 * JSON-RPC error of something thrown while `method` ran with `params`. A refusal has its code, field and what was expected;
 * a refused publish also `status` and `body` of the HTTP route. Where the disk or the files of the history are the cause, the caller hears
 * why. Anything else is a bug: logged under an id that the caller gets.
 */
export function rpcErrorOf(thrown: unknown, method: string, params: unknown, ports: RpcErrorPorts): RpcError {
  if (thrown instanceof JournalError && thrown.code !== 'bug') return historyError(thrown, method, ports);
  if (!(thrown instanceof Refusal)) return internalError(thrown, method, ports);
  const row: ErrorRow = ERRORS[thrown.code];
  if (row.rpc === undefined) return internalError(thrown, method, ports);
  try {
    const published = publishData(thrown, row, method, params, ports);
    return {
      code: row.rpc,
      message: thrown.message,
      data: { ...thrown.data, ...published, ...fieldOf(thrown) },
    };
  } catch (error) {
    return internalError(error, method, ports);
  }
}

/** The error of a refusal that needs no context: envelope and guard. */
export function plainError(refusal: Refusal): RpcError {
  const row: ErrorRow = ERRORS[refusal.code];
  return {
    code: row.rpc ?? ERRORS.INTERNAL.rpc,
    message: refusal.message,
    data: { ...refusal.data, ...fieldOf(refusal) },
  };
}

function fieldOf({ code, field, expected }: Refusal): { code: string; field?: string; expected?: string } {
  return {
    code,
    ...withoutUndefined({ field, expected }),
  };
}

function publishData(
  refusal: Refusal,
  row: ErrorRow,
  method: string,
  params: unknown,
  ports: RpcErrorPorts,
): { readonly status?: number; readonly body?: unknown } {
  if (row.publish === undefined && row.bulk === undefined) return {};
  const route = method === 'messages.publishBulk' || row.publish === undefined ? 'bulk' : 'publish';
  const { status, body } = ports.publishAnswer(refusal, route, metadataOf(params));
  return { status, body };
}

/** The answer to a bug: its id is in the log, its details are nowhere else. */
export function internalError(thrown: unknown, method: string, ports: RpcErrorPorts): RpcError {
  return loggedError(new Refusal('INTERNAL'), thrown, method, ports);
}

/** Also for the records of a recording that was opened: it has a journal of its own. */
function historyError(thrown: JournalError, method: string, ports: RpcErrorPorts): RpcError {
  const reason = `Sidelight cannot read or write its records now: ${thrown.message}.`;
  return loggedError(new Refusal('INTERNAL', { reason }), thrown, method, ports);
}

function loggedError(
  refusal: Refusal,
  thrown: unknown,
  method: string,
  { log, ids }: RpcErrorPorts,
): RpcError {
  const logId = `log_${ids.hex(6)}`;
  log.write('error', 'console', `${logId}: ${method} failed: ${tracedText(thrown)}`);
  return { code: ERRORS.INTERNAL.rpc, message: refusal.message, data: { code: 'INTERNAL', logId } };
}

/** Most causes of a cause that are logged: an error may be its own cause. */
const MAX_CAUSES = 5;

/** What was thrown, with its stack and its causes. */
function tracedText(thrown: unknown): string {
  const parts: string[] = [];
  let next = thrown;
  for (let depth = 0; next !== undefined && depth <= MAX_CAUSES; depth += 1) {
    parts.push(next instanceof Error ? (next.stack ?? next.message) : errorText(next));
    next = next instanceof Error ? next.cause : undefined;
  }
  return parts.join('\ncaused by ');
}

function metadataOf(params: unknown): Readonly<Record<string, string>> {
  if (typeof params !== 'object' || params === null) return {};
  if ('request' in params) return metadataOf(params.request);
  if (!('metadata' in params)) return {};
  const { metadata } = params;
  if (typeof metadata !== 'object' || metadata === null) return {};
  return Object.fromEntries(
    Object.entries(metadata).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
