/** Reads the metadata of the real sidecar. */
import { request } from 'node:http';
import { tryParse } from '../domain/json.ts';
import type { Target } from './relay.ts';

const LONGEST_MS = 10_000;
const LARGEST = 4 * 1024 * 1024;

export type MetadataAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

/** `GET /v1.0/metadata`. Never rejects. @param token what the sidecar asks for; "" = nothing */
export function readMetadata(
  { host, port }: Target,
  tokenHeader: string,
  token: string,
): Promise<MetadataAnswer> {
  return new Promise((resolve) => {
    const fail = (reason: string): void => resolve({ ok: false, reason });
    const call = request({
      host,
      port,
      path: '/v1.0/metadata',
      agent: false,
      timeout: LONGEST_MS,
      headers: token === '' ? {} : { [tokenHeader]: token },
    });
    call.on('timeout', () => call.destroy(new Error('no answer within ten seconds')));
    call.on('error', (error) => fail(error.message));
    call.on('response', (answer) => {
      const parts: Buffer[] = [];
      let size = 0;
      answer.on('data', (part: Buffer) => {
        size += part.length;
        if (size > LARGEST) call.destroy(new Error('the answer is too large'));
        else parts.push(part);
      });
      answer.on('error', (error) => fail(error.message));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        const value = tryParse(text)?.value;
        if (answer.statusCode !== 200)
          fail(`it answered ${answer.statusCode ?? 0} ${text.slice(0, 200)}`.trim());
        else if (value === undefined) fail('its answer is not JSON');
        else resolve({ ok: true, value });
      });
    });
    call.end();
  });
}
