/** Whether an HTTP/2 server speaks gRPC. A GET that names the content type of gRPC tells: nothing that a server may do with it is an act. */
import { connect } from 'node:http2';
import type { IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2';
import { GRPC_TYPE, isGrpcType } from '../contract/grpc.ts';

const UNSUPPORTED_TYPE = 415;

export interface Http2Server {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** Never rejects: undefined when it does not answer in time, or with what either may answer. */
export function kindOfHttp2(
  { host, port, isTls }: Http2Server,
  timeoutMs: number,
): Promise<'grpc' | 'plain' | undefined> {
  return new Promise((resolve) => {
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const session = connect(`${isTls ? 'https' : 'http'}://${authority}`, { rejectUnauthorized: false });
    const timer = setTimeout(() => end(undefined), timeoutMs);
    const end = (kind: 'grpc' | 'plain' | undefined): void => {
      clearTimeout(timer);
      session.destroy();
      resolve(kind);
    };
    session.on('error', () => end(undefined)).once('close', () => end(undefined));
    session
      .request({ ':method': 'GET', ':path': '/', 'content-type': GRPC_TYPE, te: 'trailers' })
      .on('response', (headers) => end(kindOf(headers)))
      .on('error', () => end(undefined))
      .once('close', () => end(undefined))
      .end();
  });
}

function kindOf(headers: IncomingHttpHeaders & IncomingHttpStatusHeader): 'grpc' | 'plain' | undefined {
  const isGrpc = headers['grpc-status'] !== undefined || isGrpcType(headers['content-type']);
  if (isGrpc) return 'grpc';
  // Plain servers refuse the type too, and some gRPC servers refuse a GET with this status alone.
  return headers[':status'] === UNSUPPORTED_TYPE ? undefined : 'plain';
}
