/** Calls of a console about recordings, as a client makes them. */
import type { Console } from '../../core/console/console.ts';
import type { ExportParams, ExportPart, ExportStarted } from '../../core/contract/recording.ts';

export interface Refused {
  readonly message: string;
  readonly data: { readonly code: string; readonly field?: string };
}

export async function ask<T>(
  to: Console,
  method: string,
  params: object = {},
): Promise<{ result?: T; error?: Refused }> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return JSON.parse((await to.answer(text, new AbortController().signal)) ?? '');
}

/** @throws Error with the message of a refusal */
export async function call<T>(to: Console, method: string, params: object = {}): Promise<T> {
  const { result, error } = await ask<T>(to, method, params);
  if (result === undefined) throw new Error(error?.message);
  return result;
}

/** The whole text of an export. */
export async function exported(to: Console, params: ExportParams = {}): Promise<string> {
  const { jobId } = await call<ExportStarted>(to, 'recordings.export', params);
  let text = '';
  for (let part = 1; ; part += 1) {
    const made = await call<ExportPart>(to, 'recordings.read', { jobId, part });
    text += made.text;
    if (made.isLast) return text;
  }
}
