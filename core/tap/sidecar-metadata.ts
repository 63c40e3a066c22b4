/** Reads the metadata of the real sidecar. */
import { request } from 'node:http';
import { errorText } from '../contract/error-text.ts';
import { beginningOf } from '../contract/cut-place.ts';
import { isObject, tryParse } from '../domain/json.ts';
import { isLoopAnswer } from './loop-guard.ts';
import type { Target } from './relay.ts';

const MAX_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;

export type MetadataAnswer =
  | { readonly ok: true; readonly value: unknown }
  /** A tap has answered that calls come back to it. */
  | { readonly ok: false; readonly isLoop: true }
  /** `isHttp`: false where what came, if anything, is no answer in HTTP. */
  | { readonly ok: false; readonly isLoop: false; readonly reason: string; readonly isHttp: boolean };

/** Members of which each release of a sidecar lists one at least. */
const OF_SIDECAR = ['id', 'runtimeVersion', 'subscriptions', 'extended'];

/** Whether an answer can be the metadata of a sidecar. Other programs may answer every path with JSON. */
export function isOfSidecar(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && OF_SIDECAR.some((name) => Object.hasOwn(value, name));
}

/**
 * `GET /v1.0/metadata`. Never rejects.
 * @param stop ends the call
 */
export function readMetadata(
  { host, port }: Target,
  headers: Readonly<Record<string, string>>,
  stop: AbortSignal,
): Promise<MetadataAnswer> {
  return new Promise((resolve) => {
    const fail = (reason: string, isHttp = true): void =>
      resolve({ ok: false, isLoop: false, reason, isHttp });
    const call = request({
      host,
      port,
      path: '/v1.0/metadata',
      agent: false,
      signal: stop,
      timeout: MAX_MS,
      headers,
    });
    call.on('timeout', () => {
      fail('no answer within ten seconds');
      call.destroy();
    });
    call.on('error', (error) => fail(errorText(error), false));
    call.on('response', (answer) => {
      const parts: Buffer[] = [];
      let size = 0;
      answer.on('data', (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size <= MAX_BYTES) return;
        fail('the answer is too large');
        call.destroy();
      });
      answer.on('error', (error) => fail(errorText(error)));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        const value = tryParse(text)?.value;
        if (isLoopAnswer(answer.statusCode, answer.headers)) resolve({ ok: false, isLoop: true });
        else if (answer.statusCode !== 200)
          fail(`it answered ${answer.statusCode ?? 0} ${beginningOf(text, 200)}`.trim());
        else if (value === undefined) fail('its answer is not JSON');
        else resolve({ ok: true, value });
      });
    });
    call.end();
  });
}
