/** Headers that the ingress passes in each direction: all except hop-by-hop ones. */
import type { FastifyRequest } from 'fastify';
import { HOP_BY_HOP } from '../../../contract/hop-by-hop.ts';

/** Headers of the forwarded request, with its origin added. The host becomes that of the upstream. */
export function forwardedHeaders(request: FastifyRequest): Record<string, string | string[]> {
  const named = (request.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set([...HOP_BY_HOP, ...named, 'host', 'content-length', 'expect']);
  const headers: Record<string, string | string[]> = {};
  for (const [name, values] of Object.entries(request.raw.headersDistinct)) {
    if (values === undefined || dropped.has(name)) continue;
    const [only, ...more] = values;
    headers[name] = more.length === 0 && only !== undefined ? only : values;
  }
  headers['x-forwarded-for'] = request.ip;
  headers['x-forwarded-proto'] = 'https';
  headers['x-forwarded-host'] = request.headers.host ?? '';
  return headers;
}

/** Headers of the upstream's answer for the caller. */
export function returnedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.includes(name) || name === 'content-length' ? [] : [[name, value]],
    ),
  );
}
