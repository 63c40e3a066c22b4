/** Several instances of one app behind one channel: each call goes to one of them, in turn. */
import type { PortProtocol, Protocol } from '../../contract/grpc.ts';
import type {
  AppCall,
  AppChannel,
  AppInstance,
  PendingAnswer,
  ReceivedAnswer,
} from '../../ports/app-channel.ts';

/** @param channels at least one; the first gives the address that is shown */
export function shareChannel(channels: readonly [AppChannel, ...AppChannel[]]): AppChannel {
  return channels.length === 1 ? channels[0] : new SharedChannel(channels);
}

class SharedChannel implements AppChannel {
  readonly url: string;
  readonly #channels: readonly [AppChannel, ...AppChannel[]];
  #next = 0;
  /** Instances whose port did not answer when it was last looked at: passed over while another one is there. */
  readonly #gone = new Set<AppChannel>();
  /** Instances that do not answer their health checks: passed over while another one does. */
  readonly #resting = new Set<AppChannel>();

  constructor(channels: readonly [AppChannel, ...AppChannel[]]) {
    this.#channels = channels;
    this.url = channels[0].url;
  }

  /** Instances of one app all speak the same. */
  get protocol(): Protocol {
    return this.#channels[0].protocol ?? 'http';
  }

  get instances(): readonly AppInstance[] {
    return this.#channels.map((channel) => ({
      url: channel.url,
      open: !this.#gone.has(channel),
      get: (path, headers, timeoutMs) => channel.get(path, headers, timeoutMs),
      setResting: (isResting) => {
        if (isResting) this.#resting.add(channel);
        else this.#resting.delete(channel);
      },
    }));
  }

  deliver(call: AppCall): PendingAnswer {
    const channel = this.#turn();
    const pending = channel.deliver(call);
    return {
      answer: pending.answer.then((answer) => {
        if (answer.kind === 'none' && answer.code === 'refused') this.#gone.add(channel);
        return answer;
      }),
      cancel: (reason) => pending.cancel(reason),
    };
  }

  /** Asks the first instance that answers without an error, since all instances of an app give the same answer. */
  async get(
    path: string,
    headers: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<ReceivedAnswer> {
    let trouble: ReceivedAnswer = { kind: 'none', code: 'refused', message: 'no instance was asked' };
    for (const channel of this.#channels) {
      const answer = await channel.get(path, headers, timeoutMs);
      const isWhole = answer.kind === 'response' && answer.unread?.reason !== 'cut-off';
      if (isWhole && answer.status < 500) return answer;
      if (answer.kind === 'response' || trouble.kind === 'none') trouble = answer;
    }
    return trouble;
  }

  async probe(timeoutMs: number): Promise<boolean> {
    const open = await Promise.all(this.#channels.map((channel) => channel.probe(timeoutMs)));
    this.#channels.forEach((channel, i) => {
      if (open[i] === true) this.#gone.delete(channel);
      else this.#gone.add(channel);
    });
    return open.includes(true);
  }

  async protocolOfPort(timeoutMs: number): Promise<PortProtocol | undefined> {
    const found = await Promise.all(
      this.#channels.map(async (channel) => channel.protocolOfPort?.(timeoutMs)),
    );
    return found.find((scheme) => scheme !== undefined);
  }

  async close(): Promise<void> {
    await Promise.all(this.#channels.map((channel) => channel.close()));
  }

  #turn(): AppChannel {
    const isThere = (channel: AppChannel): boolean => !this.#gone.has(channel);
    return (
      this.#nextOf((channel) => isThere(channel) && !this.#resting.has(channel)) ??
      this.#nextOf(isThere) ??
      this.#channels[0]
    );
  }

  #nextOf(may: (channel: AppChannel) => boolean): AppChannel | undefined {
    for (let i = 0; i < this.#channels.length; i += 1) {
      const channel = this.#channels[(this.#next + i) % this.#channels.length];
      if (channel === undefined || !may(channel)) continue;
      this.#next = (this.#next + i + 1) % this.#channels.length;
      return channel;
    }
    return undefined;
  }
}
