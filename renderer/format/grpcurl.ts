/** Turns a delivery over gRPC into a command that repeats it. */
import type { Attempt } from '../../core/contract/message.ts';
import { COPY_AS } from '../copy/jobs.ts';
import { copiedHeaders } from './as-code.ts';
import { shellQuote } from '../../core/contract/shell-quote.ts';

/** Metadata that the library adds itself. */
const OWN = /^(user-agent|grpc-.*|te)$/i;

/** Whether a call to the app can be repeated. A delivery over a stream was no call to it. */
export function isCallOverGrpc({ protocol, request: { url } }: Attempt): boolean {
  return protocol === 'grpc' && methodOf(url) !== undefined;
}

/** The call as a grpcurl command. For a delivery over a stream it throws the sentence to show. */
export function grpcurl({ request }: Attempt, withSecrets: boolean): string {
  const method = methodOf(request.url);
  if (method === undefined) throw new Error(COPY_AS.noCall);
  const { host, protocol } = new URL(request.url);
  const metadata = copiedHeaders(request.headers, withSecrets).filter(([name]) => !OWN.test(name));
  const command = [
    'grpcurl',
    // The sidecar does not check the app's certificate either.
    protocol === 'grpcs:' ? '-insecure' : '-plaintext',
    ...metadata.flatMap(([name, value]) => ['-H', shellQuote(`${name}: ${value}`)]),
    '-d',
    shellQuote(request.body),
    shellQuote(host),
    shellQuote(method),
  ];
  return [`# ${COPY_AS.needsReflection}`, command.join(' ')].join('\n');
}

/** Method as `package.Service/Method`; undefined: it is none of an app, or an imported recording has no address there, but perhaps an option. */
function methodOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, pathname } = new URL(url);
  if (host.startsWith('-')) return undefined;
  const path = pathname.slice(1);
  return /^[\w.]*AppCallback\w*\/\w+$/.test(path) ? path : undefined;
}
