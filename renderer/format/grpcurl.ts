/** A delivery over gRPC as a command that makes it again. */
import type { Attempt } from '../../core/contract/message.ts';
import { COPY_AS } from '../copy/jobs.ts';
import { copiedHeaders } from './as-code.ts';
import { shellQuote } from './curl.ts';

/** Metadata that the library adds by itself. */
const OWN = /^(user-agent|grpc-.*|te)$/i;

/** True when a call to the app can be made again: what went down a stream was no call to it. */
export function isCallOverGrpc({ protocol, request: { url } }: Attempt): boolean {
  return protocol === 'grpc' && methodOf(url) !== undefined;
}

/** The call as a grpcurl command. Throws what is said when it went down a stream. */
export function grpcurl({ request }: Attempt, withSecrets: boolean): string {
  const method = methodOf(request.url);
  if (method === undefined) throw new Error(COPY_AS.noCall);
  const { host, protocol } = new URL(request.url);
  const metadata = copiedHeaders(request.headers, withSecrets).filter(([name]) => !OWN.test(name));
  const command = [
    'grpcurl',
    // As the sidecar calls it: nobody looks at the app's certificate.
    protocol === 'grpcs:' ? '-insecure' : '-plaintext',
    ...metadata.flatMap(([name, value]) => ['-H', shellQuote(`${name}: ${value}`)]),
    '-d',
    shellQuote(request.body),
    shellQuote(host),
    method,
  ];
  return [`# ${COPY_AS.needsReflection}`, command.join(' ')].join('\n');
}

/** `package.Service/Method`, when it is one of an app. */
function methodOf(url: string): string | undefined {
  const path = new URL(url).pathname.slice(1);
  return /AppCallback\w*\/\w+$/.test(path) ? path : undefined;
}
