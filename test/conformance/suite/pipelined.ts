/** Requests sent at once on one connection, before any of them is answered. */
import { connect } from 'node:net';

export interface PipelinedRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** POSTs all of them on one connection to `url`; the last one closes it. Resolves with the statuses in their order. */
export async function pipelined(
  url: string,
  requests: readonly PipelinedRequest[],
): Promise<readonly number[]> {
  const { hostname, port, host } = new URL(url);
  const text = requests.map(({ target, headers, body }, at) =>
    [
      `POST ${target} HTTP/1.1`,
      `Host: ${host}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(at === requests.length - 1 ? ['Connection: close'] : []),
      '',
      body,
    ].join('\r\n'),
  );
  const answers = await new Promise<string>((resolve, reject) => {
    let got = '';
    const socket = connect(Number(port), hostname, () => socket.write(text.join('')));
    socket.on('data', (chunk) => (got += chunk.toString()));
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((answer) => Number(answer[1]));
}
