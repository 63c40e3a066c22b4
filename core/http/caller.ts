/** Who makes a request. */
import type { IncomingMessage } from 'node:http';
import type { GivenCaller } from '../runtime/publishing/callers.ts';

/** Address, port and headers as they came. @param contentType as it was sent, for the headers may be without it by now */
export function callerOf({ socket, headers }: IncomingMessage, contentType: string | undefined): GivenCaller {
  const { remoteAddress = '', remotePort } = socket;
  const address = remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress;
  const isWhole = headers['content-type'] === contentType;
  return {
    address: remotePort === undefined ? address : `${address}:${remotePort}`,
    headers: isWhole ? headers : { ...headers, 'content-type': contentType },
  };
}
