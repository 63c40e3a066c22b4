/** A whole headless product in this process, on ports of its own, with ways to call it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '../../core/host/compose.ts';
import type { Product } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';
import type { Method, Params, Result } from '../../core/contract/console.ts';
import { mustBeDeclared } from '../support/declared-result.ts';

export interface Whole {
  readonly product: Product;
  readonly sidecar: string;
  readonly folder: string;
  /** Throws Error for a refusal, and for an answer that the method does not declare. */
  rpc<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  /** The text of the refusal. */
  refused<M extends Method>(method: M, params: Params<M>): Promise<string>;
  invoke(name: string, body: unknown, method?: 'POST' | 'PUT'): Promise<{ status: number; text: string }>;
  stop(): Promise<void>;
}

/** @param files of the resources folder; absent: no folder */
export async function wholeProduct(
  how: {
    readonly files?: Readonly<Record<string, string>>;
    readonly set?: readonly string[];
    /** Default: headless. */
    readonly mode?: 'headless' | 'browser';
  } = {},
): Promise<Whole> {
  const folder = await mkdtemp(join(tmpdir(), 'event-router-'));
  for (const [file, text] of Object.entries(how.files ?? {})) await writeFile(join(folder, file), text);
  const set = [
    'eventRouter.listen.router=localhost:0',
    'eventRouter.listen.ingress=localhost:0',
    ...(how.set ?? []),
  ];
  const options = readOptions(
    [
      ...(how.mode === 'browser' ? [] : ['--headless']),
      '--ephemeral',
      ...['--sidecar-port', '0', '--app-port', '0', '--console-port', '0', '--log-level', 'error'],
      ...(how.files === undefined ? [] : ['--resources', folder]),
      ...set.flatMap((one) => ['--set', one]),
    ],
    {},
  );
  const product = await startProduct(options);
  const { rpc, token, apps } = product.ready;
  const sidecar = apps[0]?.sidecar ?? '';
  const call = async (method: string, params: unknown): Promise<Record<string, unknown>> => {
    const answer = await fetch(rpc, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  return {
    product,
    sidecar,
    folder,
    rpc: async (method, params) => {
      const answer = await call(method, params);
      if ('error' in answer) throw new Error(`${method}: ${JSON.stringify(answer['error'])}`);
      mustBeDeclared(method, answer['result']);
      return answer['result'] as Result<typeof method>;
    },
    refused: async (method, params) =>
      JSON.stringify((await call(method, params))['error'] ?? 'it was not refused'),
    invoke: async (name, body, method = 'POST') => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const init: RequestInit = { method, body: text };
      const answer = await fetch(`${sidecar}/v1.0/bindings/${name}`, init);
      return { status: answer.status, text: await answer.text() };
    },
    stop: async () => {
      await product.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The first value that is there, looked for again and again; fails after fifteen seconds. */
export async function eventually<T>(look: () => Promise<T | undefined>, what: string): Promise<T> {
  const end = performance.now() + 15_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`it never came: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

/**
 * Adds the example and waits until it is ready.
 * @returns its name
 */
export async function readyExample({ rpc }: Whole): Promise<string> {
  const { component } = await rpc('eventRouter.create', {});
  await untilReady({ rpc }, component);
  return component;
}

export async function untilReady({ rpc }: Pick<Whole, 'rpc'>, component: string): Promise<void> {
  await eventually(async () => {
    const { components } = await rpc('eventRouter.status', { component });
    return components[0]?.input?.state === 'ready' ? true : undefined;
  }, `${component} is ready`);
}

/** An event of one's own, complete. */
export function cloudEvent(id: string, data: unknown = { n: 1 }): Readonly<Record<string, unknown>> {
  return { specversion: '1.0', id, source: '/test', type: 'test.made', data };
}
