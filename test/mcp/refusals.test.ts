/** Answers to agents over HTTP that send no call: each is a row of docs/errors.md. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answerOverHttp } from '../../core/mcp/http.ts';

const docs = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const ROWS = [...docs.matchAll(/^\| agents \| (\d{3}) \| JSON-RPC (-\d+) \|/gm)].map(([, status, code]) => ({
  status: Number(status),
  code: Number(code),
}));

const server = { connect: () => Promise.resolve(), close: () => Promise.resolve() };
const [accept, json] = ['application/json, text/event-stream', 'application/json'];

const question = (_: unknown, id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

test('requests that are no JSON-RPC, have another content type, do not accept the answer, or are too many are refused', async () => {
  const seen: object[] = [];
  for (const [headers, body] of [
    [{ accept, 'content-type': json }, 'no JSON'],
    [{ accept, 'content-type': json }, '{}'],
    [{ accept, 'content-type': 'text/plain' }, '{}'],
    [{ accept: json, 'content-type': json }, '{}'],
    [{ accept, 'content-type': json }, JSON.stringify(Array.from({ length: 101 }, question))],
  ] as const) {
    const answer = await answerOverHttp(server, { headers, body }, new AbortController().signal);
    const { error }: { error: { code: number } } = JSON.parse(answer.body);
    seen.push({ status: answer.status, code: error.code });
  }
  expect(ROWS).toHaveLength(4);
  expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(
    new Set(ROWS.map((one) => JSON.stringify(one))),
  );
});
