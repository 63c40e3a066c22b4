/** Helpers for tests of a component on a real server: components of one server, and receivers that can be awaited. */
import { systemClock } from '../../core/adapters/system-clock.ts';
import { createRedisPubSub } from '../../core/adapters/redis-streams/pubsub.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import type { InboundMessage, OutboundMessage, PubSub, Taken } from '../../core/ports/pubsub.ts';

/** Settings by name; short times, so that what is given back comes again soon. */
export type Settings = Readonly<Record<string, string>>;

const QUICK: Settings = { processingTimeout: '60ms', redeliverInterval: '20' };

type Create = (options: {
  readonly setting: (name: string) => string;
  readonly clock: Clock;
  readonly log: Log;
}) => PubSub;

/** Components that were made, closed together; the log lines of all. */
export class Connections {
  readonly lines: string[] = [];
  readonly #made: PubSub[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #standard: Settings;
  readonly #create: Create;

  constructor(standard: Settings = QUICK, create: Create = createRedisPubSub) {
    this.#standard = standard;
    this.#create = create;
  }

  /** Not started. */
  make(settings: Settings): PubSub {
    const all: Settings = { ...this.#standard, ...settings };
    const made = this.#create({
      setting: (name) => all[name] ?? '',
      clock: systemClock(),
      log: { write: (level, part, text) => this.#write(`${level} ${part}: ${text}`) },
    });
    this.#made.push(made);
    return made;
  }

  async start(settings: Settings): Promise<PubSub> {
    const made = this.make(settings);
    await made.start();
    return made;
  }

  /** Resolves when a line with this text was written. */
  async saying(text: string): Promise<void> {
    while (!this.lines.some((line) => line.includes(text))) {
      await new Promise<void>((look) => void this.#waiting.push(look));
    }
  }

  /** Lines of this level. */
  told(level: string): string[] {
    return this.lines.filter((line) => line.startsWith(`${level} `));
  }

  async close(): Promise<void> {
    await Promise.all(this.#made.splice(0).map(async (one) => one.close()));
    this.lines.length = 0;
  }

  #write(line: string): void {
    this.lines.push(line);
    for (const look of this.#waiting.splice(0)) look();
  }
}

type Answer = (message: InboundMessage) => Taken | Promise<Taken>;

/** Takes what it is given, and lets a test wait for that. */
export class Taker {
  readonly messages: InboundMessage[] = [];
  /** How many it has at once, now and at most. */
  open = 0;
  mostOpen = 0;
  readonly #answer: Answer;
  #waiting: (() => void)[] = [];

  constructor(answer: Answer = () => 'done') {
    this.#answer = answer;
  }

  readonly take = async (message: InboundMessage): Promise<Taken> => {
    this.messages.push(message);
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    for (const look of this.#waiting.splice(0)) look();
    try {
      return await this.#answer(message);
    } finally {
      this.open -= 1;
    }
  };

  get texts(): string[] {
    return this.messages.map(({ wire }) => Buffer.from(wire ?? '').toString());
  }

  /** Resolves when `isTrue` holds after something was taken (or at once). */
  async until(isTrue: (taker: Taker) => boolean): Promise<void> {
    while (!isTrue(this)) await new Promise<void>((look) => void this.#waiting.push(look));
  }

  async has(count: number): Promise<void> {
    await this.until(({ messages }) => messages.length >= count);
  }

  subscribe(pubsub: PubSub, topic: string, group: string): ReturnType<PubSub['subscribe']> {
    return pubsub.subscribe(topic, { group, metadata: {} }, this.take);
  }
}

/** Answers nothing until it is opened: then all calls get this answer. */
export class Gate {
  release: (taken: Taken) => void = () => undefined;
  readonly #taken = new Promise<Taken>((resolve) => (this.release = resolve));
  readonly answer = async (): Promise<Taken> => this.#taken;
}

export function outbound(topic: string, text: string, metadata: Settings = {}): OutboundMessage {
  return { messageId: `msg_${text}`, topic, wire: text, contentType: 'text/plain', metadata };
}

let count = 0;

/** A topic no other test uses. */
export function newTopic(): string {
  return `stream-${process.pid}-${++count}`;
}
