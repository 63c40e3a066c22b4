/** The caller of a request. */
import type { IncomingHttpHeaders } from 'node:http';
import type { GivenCaller } from '../runtime/publishing/callers.ts';

/** The part of a request before its body. */
export interface RequestHead {
  readonly url?: string | undefined;
  /** Absent: 1.1. */
  readonly httpVersion?: string | undefined;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined };
}

/**
 * Address, port and headers of the caller, unchanged.
 * @param contentType as it was sent, because the headers may no longer have it
 */
export function callerOf({ socket, headers }: RequestHead, contentType: string | undefined): GivenCaller {
  const { remoteAddress = '', remotePort } = socket;
  const address = remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress;
  const isWhole = headers['content-type'] === contentType;
  return {
    address: remotePort === undefined ? address : `${address}:${remotePort}`,
    headers: isWhole ? headers : { ...headers, 'content-type': contentType },
  };
}
