/** Turns requests of the embedded router into shell commands. */
import { shellQuote } from '../../format/curl.ts';

/** Content of a request. Masked values stay masked, so a person fills in the token or the key. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const LEFT_OUT: ReadonlySet<string> = new Set(['host', 'content-length', 'connection']);

/** One command for a POSIX shell; `--cacert` names the file of "Copy PEM". */
export function curlOf({ method, url, headers, body }: CurlRequest): string {
  const parts = [`curl -g --cacert ca.pem -X ${method} ${shellQuote(url)}`];
  for (const [name, value] of Object.entries(headers))
    if (!LEFT_OUT.has(name.toLowerCase())) parts.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  if (body !== undefined && body !== '') parts.push(`--data-binary ${shellQuote(body)}`);
  return parts.join(' \\\n  ');
}
