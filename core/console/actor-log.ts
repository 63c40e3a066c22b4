/** Logs the calls of an actor other than a person: one line each, before it runs. */
import { METHODS } from '../contract/console.ts';
import type { Method } from '../contract/console.ts';
import type { Actor } from '../contract/rpc.ts';
import { cutText } from '../domain/codec.ts';
import { isObject } from '../domain/json.ts';
import type { Log } from '../ports/log.ts';

const WORDS: Readonly<Record<Actor, string>> = { agent: 'by an agent' };

/** Parameters that a log line contains: they say what a call is about. Payloads and answers are left out. */
const TOLD = [
  'appId',
  'pubsubname',
  'topic',
  'filter',
  'messageId',
  'deliveryId',
  'deliveryIds',
  'holdId',
  'at',
];
/** Maximum number of characters of a value in a log line. */
const SHOWN = 200;

/** Logs acts at level info, and reads, with views and streams among them, at level debug. */
export function actorLog(log: Log, by: Actor): (method: Method, params: object) => void {
  return (method, params) => {
    const isRead =
      METHODS[method].kind === 'query' || method.startsWith('view.') || method.startsWith('stream.');
    log.write(
      isRead ? 'debug' : 'info',
      'console',
      `${method} ${WORDS[by]}${aboutOf(params)}`,
      idsOf(params),
    );
  };
}

function aboutOf(params: object): string {
  const parts = Object.entries(params).flatMap(([name, value]) =>
    TOLD.includes(name) ? [`${name} ${cutText(JSON.stringify(value), SHOWN)}`] : [],
  );
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

function idsOf(params: unknown): { readonly messageId?: string; readonly deliveryId?: string } {
  if (!isObject(params)) return {};
  const { messageId, deliveryId } = params;
  return {
    ...(typeof messageId === 'string' ? { messageId } : {}),
    ...(typeof deliveryId === 'string' ? { deliveryId } : {}),
  };
}
