/** Turns requests of the embedded router into shell commands. */
import { curlParts } from '../../format/as-code.ts';

/** Content of a request. Masked values stay masked, so a person fills in the token or the key. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const LEFT_OUT: ReadonlySet<string> = new Set(['host', 'content-length', 'connection']);

/** One command for a POSIX shell; `--cacert` names the file of "Copy PEM". */
export function curlOf({ method, url, headers, body = '' }: CurlRequest): string {
  const sent = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name.toLowerCase()));
  const { piped, options } = curlParts({ method, url, headers: sent, body, isBase64: false });
  return `${piped}curl --cacert ca.pem ${options.join(' \\\n  ')}`;
}
