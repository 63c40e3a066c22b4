/** A channel whose address can be changed while the product runs; running calls end at their old address. */
import type { PortProtocol, Protocol } from '../../contract/grpc.ts';
import type { AppCall, AppChannel, PendingAnswer, ReceivedAnswer } from '../../ports/app-channel.ts';

export interface TurnableChannel extends AppChannel {
  /** From now on calls go to `url`; without one, back to the first address. Throws TypeError for what is no http or https address. */
  turnTo(url: string | undefined): void;
}

/**
 * @param url the first address
 * @param open makes the channel to an address
 */
export function createTurnableChannel(url: string, open: (url: string) => AppChannel): TurnableChannel {
  return new Turnable(url, open);
}

class Turnable implements TurnableChannel {
  readonly #first: string;
  readonly #open: (url: string) => AppChannel;
  /** Every address that was used; one channel each, so that turning to and fro opens no more. */
  readonly #channels = new Map<string, AppChannel>();
  #now: AppChannel;

  constructor(url: string, open: (url: string) => AppChannel) {
    this.#first = url;
    this.#open = open;
    this.#now = this.#channelTo(url);
  }

  get url(): string {
    return this.#now.url;
  }

  get protocol(): Protocol {
    return this.#now.protocol ?? 'http';
  }

  turnTo(url: string | undefined): void {
    this.#now = this.#channelTo(url ?? this.#first);
  }

  deliver(call: AppCall): PendingAnswer {
    return this.#now.deliver(call);
  }

  get(path: string, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<ReceivedAnswer> {
    return this.#now.get(path, headers, timeoutMs);
  }

  probe(timeoutMs: number): Promise<boolean> {
    return this.#now.probe(timeoutMs);
  }

  async openBeside(timeoutMs: number): Promise<string | undefined> {
    return this.#now.openBeside?.(timeoutMs);
  }

  async protocolOfPort(timeoutMs: number): Promise<PortProtocol | undefined> {
    return this.#now.protocolOfPort?.(timeoutMs);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#channels.values()].map((channel) => channel.close()));
  }

  #channelTo(url: string): AppChannel {
    const base = url.replace(/\/+$/, '');
    const known = this.#channels.get(base);
    if (known !== undefined) return known;
    const opened = this.#open(base);
    this.#channels.set(base, opened);
    return opened;
  }
}
