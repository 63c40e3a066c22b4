// Random streams through a tap's port for HTTP/2 and past it: metadata, messages, trailers, resets, many streams at once.
import { connect, createServer } from 'node:http2';
import type { ClientHttp2Session, Http2Server, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { BodyRoom } from '../../core/tap/body-room.ts';
import { GrpcListener } from '../../core/tap/grpc/listener.ts';
import type { Call, GrpcSide, MessageStream } from '../../core/tap/grpc/side.ts';
import { chanceOf } from './pass-through.ts';
import type { Chance } from './pass-through.ts';

/** Headers, body, trailers and reset code that one end of a stream received. */
interface Seen {
  headers: readonly string[];
  body: string;
  trailers: readonly string[];
  rstCode: number;
}

/** Behaviour of the server for a stream, which its client asks for in a header. */
interface Plan {
  readonly headers: Record<string, string | string[]>;
  readonly parts: readonly string[];
  readonly trailers: Record<string, string | string[]> | undefined;
  /** The stream is reset with this code in place of an end. */
  readonly reset: number;
}

export const PATHS = ['/pass', '/read', '/stop', '/stream'] as const;

function callThat(path: string): Call {
  const [reads, stops] = [path !== '/pass', path === '/stop'];
  return {
    kind: 'call',
    stopsRequest: stops,
    stopsResponse: stops,
    readsRequest: reads,
    readsResponse: reads,
    requested: () => (stops ? Promise.resolve({ kind: 'pass' }) : undefined),
    responded: () => (stops ? Promise.resolve(undefined) : undefined),
    lost: () => undefined,
  };
}

const STREAM: MessageStream = {
  kind: 'stream',
  open: ({ toClient, toServer }) => ({
    fromClient: ({ raw }) => {
      toServer(raw);
      return undefined;
    },
    fromServer: ({ raw }) => {
      toClient(raw);
      return undefined;
    },
    closed: () => undefined,
  }),
};

/** Passes everything on, whatever it makes of a path. */
export const SIDE: GrpcSide = {
  begin: ({ path }) => (path === '/stream' ? STREAM : callThat(path)),
  reached: () => undefined,
  comesBack: () => undefined,
};

/** The date is the server's own: the tap adds none to an answer that has none. */
const WITHOUT_DATE = { sendDate: false };

function serve(
  atServer: Map<string, Seen>,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  raw: readonly string[],
): void {
  const seen: Seen = { headers: raw, body: '', trailers: [], rstCode: 0 };
  atServer.set(String(headers['x-number']), seen);
  const plan = JSON.parse(Buffer.from(String(headers['x-plan']), 'base64').toString()) as Plan;
  stream.on('error', () => undefined);
  stream.on('data', (part: Buffer) => (seen.body += part.toString('latin1')));
  stream.on('trailers', (_: unknown, __: unknown, list: string[]) => (seen.trailers = list));
  stream.on('end', () => {
    if (plan.parts.length === 0 && plan.trailers === undefined && plan.reset === 0) {
      stream.respond(plan.headers, { endStream: true, ...WITHOUT_DATE });
      return;
    }
    stream.respond(plan.headers, { waitForTrailers: plan.trailers !== undefined, ...WITHOUT_DATE });
    if (plan.trailers !== undefined)
      stream.on('wantTrailers', () => stream.sendTrailers(plan.trailers ?? {}));
    for (const part of plan.parts) stream.write(Buffer.from(part, 'latin1'));
    if (plan.reset !== 0) stream.close(plan.reset);
    else stream.end();
  });
}

const among = <T>(chance: Chance, list: readonly [T, ...T[]]): T =>
  list[Math.floor(chance() * list.length)] ?? list[0];

function bytes(chance: Chance): string {
  const size = chance() < 0.02 ? 150_000 : Math.floor(chance() * chance() * 4_000);
  return Array.from({ length: size }, () => String.fromCodePoint(Math.floor(chance() * 256))).join('');
}

/** A body that reads as messages, or does not. */
function body(chance: Chance): string[] {
  return Array.from({ length: Math.floor(chance() * 4) }, () => {
    const content = bytes(chance);
    if (chance() < 0.3) return content;
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(content.length, 1);
    return prefix.toString('latin1') + content;
  });
}

function metadata(chance: Chance): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (let n = Math.floor(chance() * 5); n > 0; n -= 1) {
    const name = among(chance, ['x-one', 'grpc-trace-bin', 'traceparent', 'x-two_three.four']);
    headers[name] =
      chance() < 0.2 ? ['first', 'second'] : among(chance, ['', 'AAEC', 'a, b', 'x'.repeat(3_000)]);
  }
  return headers;
}

function planOf(chance: Chance): Plan {
  const isReset = chance() < 0.1;
  return {
    headers: { ':status': '200', 'content-type': 'application/grpc', ...metadata(chance) },
    parts: body(chance),
    trailers:
      isReset || chance() < 0.2
        ? undefined
        : { 'grpc-status': '0', 'grpc-message': 'a%20b', ...metadata(chance) },
    // REFUSED_STREAM, CANCEL, ENHANCE_YOUR_CALM
    reset: isReset ? among(chance, [7, 8, 11]) : 0,
  };
}

/** Sends one stream; gives what its client saw. */
function send(session: ClientHttp2Session, number: string, path: string, chance: Chance): Promise<Seen> {
  const plan = planOf(chance);
  const [own, parts, hasTrailers] = [metadata(chance), body(chance), chance() < 0.3];
  return new Promise((resolve) => {
    const stream = session.request(
      {
        ':method': 'POST',
        ':path': path,
        te: 'trailers',
        ...own,
        'x-number': number,
        'x-plan': Buffer.from(JSON.stringify(plan)).toString('base64'),
      },
      { endStream: false, waitForTrailers: hasTrailers },
    );
    const seen: Seen = { headers: [], body: '', trailers: [], rstCode: 0 };
    stream.on('response', (_: unknown, __: unknown, raw: string[]) => (seen.headers = raw));
    stream.on('data', (part: Buffer) => (seen.body += part.toString('latin1')));
    stream.on('trailers', (_: unknown, __: unknown, raw: string[]) => (seen.trailers = raw));
    stream.on('error', () => undefined);
    stream.on('close', () => resolve({ ...seen, rstCode: stream.rstCode }));
    if (hasTrailers) stream.on('wantTrailers', () => stream.sendTrailers({ 'x-end': 'yes' }));
    for (const part of parts) stream.write(Buffer.from(part, 'latin1'));
    stream.end();
  });
}

/** Headers as text, without those that differ with each connection and each try. */
const comparableHeaders = (raw: readonly string[]): string[] => {
  const pairs: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    if (!['x-number', ':authority'].includes(raw[i] ?? '')) pairs.push(`${raw[i]}: ${raw[i + 1]}`);
  }
  return pairs;
};

/** The part of an answer that must be equal: a stream that was reset may lose any part. */
const comparable = (seen: Seen | undefined) =>
  seen === undefined || seen.rstCode !== 0
    ? { rstCode: seen?.rstCode }
    : {
        headers: comparableHeaders(seen.headers),
        body: seen.body,
        trailers: comparableHeaders(seen.trailers),
      };

/** Comparable parts that the two ends of one stream received. */
interface Ends {
  readonly client: ReturnType<typeof comparable>;
  readonly server: ReturnType<typeof comparable>;
}

export class GrpcStand {
  readonly #server: Http2Server;
  /** Streams at the server, by their number. */
  readonly #atServer = new Map<string, Seen>();
  #listener: GrpcListener | undefined;
  #through: ClientHttp2Session | undefined;
  #direct: ClientHttp2Session | undefined;

  constructor() {
    this.#server = createServer({ settings: { maxHeaderListSize: 1 << 20 } });
    this.#server.on('stream', (stream, headers, _flags, raw: string[]) =>
      serve(this.#atServer, stream, headers, raw),
    );
  }

  async open(): Promise<void> {
    await new Promise<void>((done) => void this.#server.listen(0, '127.0.0.1', done));
    const { port } = this.#server.address() as AddressInfo;
    this.#listener = new GrpcListener(0, {
      side: SIDE,
      to: { host: '127.0.0.1', port },
      room: new BodyRoom(),
    });
    await this.#listener.open();
    this.#through = connect(`http://127.0.0.1:${this.#listener.port}`);
    this.#direct = connect(`http://127.0.0.1:${port}`);
  }

  async close(): Promise<void> {
    for (const session of [this.#through, this.#direct]) session?.destroy();
    await this.#listener?.close();
    await new Promise((done) => void this.#server.close(done));
  }

  /** Sends one random stream both ways. */
  async try(path: string, seed: number): Promise<{ readonly direct: Ends; readonly through: Ends }> {
    const one = async (session: ClientHttp2Session | undefined, number: string): Promise<Ends> => {
      if (session === undefined) throw new Error('the stand is not open');
      const client = comparable(await send(session, number, path, chanceOf(seed)));
      const server = comparable(this.#atServer.get(number));
      this.#atServer.delete(number);
      return { client, server };
    };
    const [direct, through] = await Promise.all([
      one(this.#direct, `d${path}${seed}`),
      one(this.#through, `t${path}${seed}`),
    ]);
    return { direct, through };
  }
}
