/** Who makes a request. */
import type { FastifyRequest } from 'fastify';
import type { GivenCaller } from '../runtime/publishing/callers.ts';

/** Address, port and headers as they came. */
export function callerOf(request: FastifyRequest): GivenCaller {
  const { remoteAddress = '', remotePort } = request.raw.socket;
  const address = remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress;
  const { givenContentType } = request;
  const type = givenContentType === undefined ? {} : { 'content-type': givenContentType };
  return {
    address: remotePort === undefined ? address : `${address}:${remotePort}`,
    headers: { ...request.headers, ...type },
  };
}
