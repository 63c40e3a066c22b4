/**
 * Changes that this window requested from the host, newest last: every click, as the automation call with the
 * same effect.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Method, Params } from '../../core/contract/console.ts';
import { hasLongText } from '../client/long-frames.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { automationCall } from '../format/curl.ts';

export interface ActMade {
  readonly method: Method;
  /** JSON-RPC text of the call. */
  readonly call: string;
}

export type ActsMade = StoreApi<readonly ActMade[]>;

const MAX = 50;
/** Longest call in characters that is kept: a large file does not belong into a script. */
const MAX_LENGTH = 100_000;

/** Calls that only ask, and those that the window makes by itself. */
const ASKS: ReadonlySet<string> = new Set<Method>([
  'system.describe',
  'system.link',
  'stream.open',
  'stream.ack',
  'stream.close',
  'view.open',
  'view.rows',
  'view.expand',
  'view.find',
  'view.close',
  'views.list',
  'events.since',
  'filter.check',
  'filter.complete',
  'messages.list',
  'messages.get',
  'messages.payload',
  'messages.values',
  'messages.markRead',
  'jobs.get',
  'jobs.list',
  'holds.list',
  'holds.queue',
  'mockApp.get',
  'mockApp.presets',
  'mockApp.waiting',
  'topics.list',
  'subscriptions.list',
  'components.list',
  'components.validate',
  'components.read',
  'components.reveal',
  'apps.list',
  'taps.list',
  'processes.list',
  'processes.logs',
  'routes.explain',
  'verdict.explain',
  'health.get',
  'health.call',
  'metrics.get',
  'logs.list',
  'settings.get',
  'schemas.list',
  'schemas.validate',
  'requests.list',
  'requests.export',
  'requests.resolve',
  'drafts.get',
  'drafts.set',
  'recordings.list',
  'recordings.read',
  'recordings.export',
  'recordings.compare',
  'recordings.toTest',
  'eventRouter.status',
  'eventRouter.deliveries',
  'eventRouter.simulate',
  'eventRouter.reveal',
]);
/** Methods that only ask if no parameter says what to change. */
const MAY_ASK: ReadonlySet<string> = new Set<Method>([
  'eventRouter.subscriptions',
  'eventRouter.topics',
  'eventRouter.token',
  'eventRouter.certificate',
  'eventRouter.faults',
  'eventRouter.breakpoints',
]);
const ASKING_ACTS: ReadonlySet<unknown> = new Set(['list', 'show', 'test']);

/** Whether a call changes something outside this window. */
export function isAct(method: string, params: object): boolean {
  if (MAY_ASK.has(method)) {
    if ('act' in params) return !ASKING_ACTS.has(params.act);
    return /\.(faults|breakpoints)$/.test(method) && Object.keys(params).length > 0;
  }
  if (method === 'messages.update') return !('read' in params);
  return !ASKS.has(method);
}

/** Wraps a client so that each change is noted. */
export function noteActs(rpc: RpcClient): { readonly rpc: RpcClient; readonly made: ActsMade } {
  const made = createStore<readonly ActMade[]>(() => []);
  const note = <M extends Method>(method: M, params: Params<M>): void => {
    // Writing megabytes as JSON only to drop them takes a frame.
    if (hasLongText(params, MAX_LENGTH)) return;
    const call = automationCall(method, params);
    if (call.length <= MAX_LENGTH) made.setState((before) => [...before, { method, call }].slice(-MAX), true);
  };
  return {
    made,
    rpc: {
      ...rpc,
      async call(method, params, options) {
        const answer = await rpc.call(method, params, options);
        if (isAct(method, params)) note(method, params);
        return answer;
      },
    },
  };
}

/** The calls as a shell script for a running Sidelight. */
export function scriptOf(acts: readonly ActMade[], rpcUrl: string): string {
  const quoted = acts.map(({ call }) => `call '${call.replaceAll("'", String.raw`'\''`)}'`);
  return [
    '#!/bin/sh',
    '# SIDELIGHT_TOKEN: "token" of the ready line that sidelight --headless prints.',
    `: "\${SIDELIGHT_RPC:=${rpcUrl}}"`,
    'call() {',
    '  curl -gsS "$SIDELIGHT_RPC" -H "Authorization: Bearer $SIDELIGHT_TOKEN" \\',
    `    -H 'Content-Type: application/json' -d "$1"`,
    '  echo',
    '}',
    ...quoted,
    '',
  ].join('\n');
}
