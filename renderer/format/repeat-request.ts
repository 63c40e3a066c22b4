/** Turns a message's publish, and the call that an app received, into requests that can be repeated. */
import type { Attempt } from '../../core/contract/message.ts';
import type { PublishParams } from '../../core/contract/publish.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { COPY_AS } from '../copy/jobs.ts';
import { asCode, asRawHttp, copiedHeaders, type CodeRequest } from './as-code.ts';
import { publishUrl } from './curl.ts';
import { grpcurl } from './grpcurl.ts';
import type { SidecarTarget } from './sidecar-target.ts';

/** The request to the publish route with these parameters. */
export function publishRequestOf({ address, token }: SidecarTarget, publish: PublishParams): CodeRequest {
  const { data, dataBase64, contentType, metadata } = publish;
  const type =
    contentType ?? (typeof data === 'string' || data === undefined ? undefined : 'application/json');
  return {
    method: 'POST',
    url: publishUrl(address, publish, metadata ?? {}),
    headers: type === undefined || type === '' ? [] : [['Content-Type', type]],
    body: dataBase64 ?? (typeof data === 'string' ? data : JSON.stringify(data ?? null)),
    isBase64: dataBase64 !== undefined,
    ...withoutUndefined({ token }),
  };
}

/** A publish as a curl command. */
export function publishCurl(sidecar: SidecarTarget, publish: PublishParams): string {
  return asCode('curl', publishRequestOf(sidecar, publish));
}

/** Scheme that Sidelight alone gives to an address: clients know it as http. */
const H2C = /^h2c:\/\//;

/** The call of an attempt; secret headers are masked unless they are requested. */
function receivedRequest({ request }: Attempt, withSecrets: boolean): CodeRequest {
  return {
    method: request.method,
    url: request.url.replace(H2C, 'http://'),
    isH2c: H2C.test(request.url),
    headers: copiedHeaders(request.headers, withSecrets),
    body: request.body,
    isBase64: request.bodyBase64 === true,
  };
}

/** The call of an attempt as a curl or grpcurl command; it says if the body was cut in the record. */
export function receivedCurl(attempt: Attempt, withSecrets = false): string {
  const code =
    attempt.protocol === 'grpc'
      ? grpcurl(attempt, withSecrets)
      : asCode('curl', receivedRequest(attempt, withSecrets));
  return attempt.request.bodyTruncated === true ? `# ${COPY_AS.cut}\n${code}` : code;
}

/** The call of an attempt as HTTP text. Throws the sentence to show for a call over gRPC. */
export function receivedRaw(attempt: Attempt, withSecrets = false): string {
  if (attempt.protocol === 'grpc') throw new Error(COPY_AS.noRaw);
  return asRawHttp(receivedRequest(attempt, withSecrets));
}
