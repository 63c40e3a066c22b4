/** Sends requests exactly as they are given: no header that was not asked for, no redirect followed. */
import { Agent, request as httpRequest } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly text: string;
  /** The body as JSON; throws when it is none. */
  json(): unknown;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs?: number;
}

export interface HttpClient {
  send(url: string, sending?: Sending): Promise<Answer>;
  close(): void;
}

const TIMEOUT_MS = 30_000;

/** A client that keeps its connections. `send` rejects when no answer comes. */
export function createClient(): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    send: async (url, sending = {}) => send(agent, url, sending),
    close: () => agent.destroy(),
  };
}

async function send(agent: Agent, url: string, sending: Sending): Promise<Answer> {
  const { method = 'GET', headers = {}, timeoutMs = TIMEOUT_MS } = sending;
  const body = sending.body === undefined ? undefined : Buffer.from(sending.body);
  const { hostname, port } = new URL(url);
  // Not URL's pathname: it would clean what the case wants to send.
  const path = url.slice(url.indexOf('/', url.indexOf('//') + 2));
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const call = httpRequest(
      { agent, hostname, port, path, method, headers: { ...headers, ...length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve(answerOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks))),
        );
      },
    );
    call.setTimeout(timeoutMs, () =>
      call.destroy(new Error(`${method} ${path}: no answer for ${timeoutMs} ms`)),
    );
    call.on('error', reject);
    call.end(body);
  });
}

function answerOf(status: number, headers: Answer['headers'], body: Buffer): Answer {
  const text = body.toString('utf8');
  return {
    status,
    headers,
    body,
    text,
    json: () => {
      try {
        return JSON.parse(text) as unknown;
      } catch (error) {
        throw new Error(`the answer is no JSON: ${status} ${text.slice(0, 200)}`, { cause: error });
      }
    },
  };
}
