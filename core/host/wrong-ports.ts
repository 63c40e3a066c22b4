/**
 * Reports clients on a wrong port of a sidecar: a line of the log when they begin, and a banner as long as
 * they come.
 */
import type { SystemDescription } from '../contract/reports.ts';
import { theApp } from '../contract/app-text.ts';
import { firstOf } from '../contract/list-text.ts';
import type { Cancel, Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

type Banner = SystemDescription['banners'][number];

/** Time after the last such client for which its banner is shown. */
const SHOWN_MS = 60_000;

interface Shown {
  readonly banner: Banner;
  /** Line of the log when no such client has come for a while. */
  readonly over: string;
  end: Cancel;
}

export class WrongPortBanners {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #shown = new Map<string, Shown>();
  #began = 0;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Reports a client.
   * @param appId the app whose port was meant; undefined: it came to the console, and several apps may have been meant
   * @param text the whole sentence, with the right port
   */
  report(appId: string | undefined, text: string): void {
    const known = this.#shown.get(text);
    const end = this.#clock.at(this.#clock.now() + SHOWN_MS, () => this.#end(text));
    if (known !== undefined) {
      known.end();
      known.end = end;
      return;
    }
    // Each banner has its own id, so that a person who dismissed one still sees the next.
    const banner: Banner = { id: `wrong-port-${++this.#began}`, text, level: 'warn' };
    const over =
      appId === undefined
        ? 'No publish has come to the console'
        : `No client has used a wrong port of ${theApp(appId)}`;
    this.#shown.set(text, { banner, over: `${over} for a minute.`, end });
    this.#log.write('warn', 'sidecar', text);
  }

  /** The present banners. */
  banners(): readonly Banner[] {
    return [...this.#shown.values()].map(({ banner }) => banner);
  }

  close(): void {
    for (const { end } of this.#shown.values()) end();
    this.#shown.clear();
  }

  /** Ends the banner. The line of the log is an event, so that every screen updates. */
  #end(text: string): void {
    const over = this.#shown.get(text)?.over ?? '';
    this.#shown.delete(text);
    this.#log.write('info', 'sidecar', over);
  }
}

/**
 * Text about an HTTP/2 client at the HTTP port.
 * @param grpcAddress undefined: gRPC is off
 */
export function grpcAtHttp(appId: string, url: string, grpcAddress: string | undefined): string {
  const instead =
    grpcAddress === undefined ? 'gRPC is off, see --grpc-port' : `gRPC is served at ${grpcAddress}`;
  return `A gRPC client connected to the HTTP port of ${theApp(appId)}, ${url}: ${instead}.`;
}

/** Text about a publish at the port of a mock app, which would answer it like any other call. */
export function publishAtMock(appId: string, mockUrl: string, url: string): string {
  return `A publish came to the mock app, ${mockUrl}: the sidecar of ${theApp(appId)} is at ${url}.`;
}

/** Apps whose sidecars a sentence names. */
const MAX_NAMED = 3;

/**
 * Text about a publish at the port of the console.
 * @param sidecars at least one, in the order of the apps
 */
export function publishAtConsole(
  consoleUrl: string,
  sidecars: readonly { readonly appId: string; readonly url: string }[],
): string {
  const are = firstOf(
    sidecars.map(({ appId, url }) => `that of ${theApp(appId)} at ${url}`),
    MAX_NAMED,
  );
  const [first] = sidecars;
  const instead =
    sidecars.length === 1 && first !== undefined
      ? `the sidecar of ${theApp(first.appId)} is at ${first.url}`
      : `publishes go to a sidecar: ${are}`;
  return `A publish came to the console, ${consoleUrl}: ${instead}.`;
}

const FOREIGN = {
  http1: 'An HTTP/1 client',
  tls: 'A TLS client',
  other: 'A client that does not speak HTTP/2',
} as const;

/** Text about a client at the gRPC port that does not use HTTP/2. */
export function foreignAtGrpc(
  kind: keyof typeof FOREIGN,
  appId: string,
  grpcAddress: string,
  url: string,
): string {
  const instead = kind === 'tls' ? 'this port has no TLS' : `the HTTP API is at ${url}`;
  return `${FOREIGN[kind]} connected to the gRPC port of ${theApp(appId)}, ${grpcAddress}: ${instead}.`;
}
