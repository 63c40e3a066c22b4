/** One client of the stream: snapshot or missed events, batches, acknowledgements, reset. */
import { STREAM } from '../../contract/stream-bounds.ts';
import type { ConsoleEvent, Params, Snapshot, StreamScope, StreamStart } from '../../contract/console.ts';
import { MAX_FRAME_BYTES } from '../../contract/rpc.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import type { RuntimeApi } from '../../runtime/runtime.ts';
import type { NotedEvent } from '../../runtime/api.ts';
import type { Batch, Batcher } from './batcher.ts';
import { Flood } from './flood.ts';
import { framesOf, notification, readFolded } from './pack.ts';
import type { BatchFrame } from './pack.ts';
import { QUIET_MS, pauseAfter } from './frame-pause.ts';

/** Maximum number of messages for which scope `opened` gets events: as many as a console keeps complete. */
const MAX_OPENED = 50;
/** Number of events in a pause above which those for the client are gathered: with more, the ring could lose some before the pause ends. */
const MAX_RESTED = STREAM.ringEvents - 4 * STREAM.batchEvents;
/** Number of missed events above which their size is measured before they are sent in one frame. */
const MEASURE_ABOVE = 1000;

export interface SubscriberDependencies {
  readonly send: (text: string) => void;
  /** For scope `views` and one batch: whether an event is about a row in this connection's windows, or about none. */
  readonly shownNow: () => (event: NotedEvent) => boolean;
  /** Called when this client may have room again for texts other than batches; `hasBegun`: for the first time. */
  readonly onReady: (hasBegun: boolean) => void;
}

export interface StreamsDependencies {
  readonly runtime: Pick<RuntimeApi, 'events' | 'journal' | 'figures'>;
  readonly batcher: Batcher;
  readonly clock: Clock;
  /** Called after a batch was sent: something has changed. */
  readonly onBatch: () => void;
  /** Called when the last stream has closed. */
  readonly onIdle: () => void;
}

/** All open streams of a console. */
export class Streams {
  readonly #runtime: Pick<RuntimeApi, 'events' | 'journal' | 'figures'>;
  readonly #batcher: Batcher;
  readonly #clock: Clock;
  readonly #open = new Set<Subscriber>();
  readonly #onBatch: () => void;
  readonly #onIdle: () => void;
  #leave: (() => void) | undefined;
  readonly #flood = new Flood();
  /** Whether events come faster than a client that was away could read them. */
  isFlood = false;
  /** One subscriber that is never freed, for the reason in last-made.ts. */
  readonly kept = new Subscriber(this, {
    send: () => undefined,
    shownNow: () => () => false,
    onReady: () => undefined,
  });
  /** Frames of the newest batch for scope `all`, created once for all clients in step. */
  #shared: { readonly batch: Batch; readonly frames: readonly BatchFrame[] } | undefined;

  constructor({ runtime, batcher, clock, onBatch, onIdle }: StreamsDependencies) {
    this.#runtime = runtime;
    this.#batcher = batcher;
    this.#clock = clock;
    this.#onBatch = onBatch;
    this.#onIdle = onIdle;
  }

  get source(): RuntimeApi['events'] {
    return this.#runtime.events;
  }

  get sentTo(): number {
    return this.#batcher.sentTo;
  }

  /** Whether a client reads events about messages that no view shows. */
  get readsAll(): boolean {
    for (const { scope } of this.#open) if (scope !== 'views') return true;
    return false;
  }

  get open(): Iterable<Subscriber> {
    return this.#open;
  }

  subscriber(deps: SubscriberDependencies): Subscriber {
    return new Subscriber(this, deps);
  }

  add(subscriber: Subscriber): void {
    if (subscriber.scope !== 'views') this.#batcher.countFrom(Infinity);
    this.#leave ??= this.#batcher.listen((batch) => this.#take(batch));
    this.#open.add(subscriber);
    this.#batcher.flush();
  }

  /** Calls `run` later. */
  after(ms: number, run: () => void): Cancel {
    return this.#clock.at(this.#clock.now() + ms, run);
  }

  remove(subscriber: Subscriber): void {
    this.#open.delete(subscriber);
    if (this.#open.size > 0) return;
    this.#leave?.();
    this.#leave = undefined;
    this.#shared = undefined;
    this.#onIdle();
  }

  framesForAll(batch: Batch): readonly BatchFrame[] {
    if (this.#shared?.batch !== batch) {
      const events: NotedEvent[] = [];
      this.#batcher.visit(batch, (event) => events.push(event));
      this.#shared = { batch, frames: framesOf(this.source.epoch, { ...batch, events: readFolded(events) }) };
    }
    return this.#shared.frames;
  }

  /** Newest rows, counts, number of the oldest message; may be newer than a sequence read before, never older. */
  async snapshot(): Promise<Snapshot> {
    const { journal } = this.#runtime;
    const [page, stats] = await Promise.all([
      journal.page({ order: 'newest', limit: STREAM.snapshotRows, nowMs: this.#clock.now() }),
      journal.stats(),
    ]);
    return { rows: page.items, counts: this.#runtime.figures.counts(), oldestKept: stats.oldestNumber };
  }

  #take(batch: Batch): void {
    this.isFlood = this.#flood.isOn(this.#clock.now(), batch.to);
    for (const subscriber of this.#open) subscriber.take(batch);
    this.#onBatch();
  }
}

type State = 'closed' | 'opening' | 'open';

export class Subscriber {
  readonly #streams: Streams;
  readonly #deps: SubscriberDependencies;
  #state: State = 'closed';
  #scope: StreamScope = 'all';
  /** Messages that the client opened, latest last. */
  readonly #opened = new Set<string>();
  /** Number with which the next batch for this client begins. */
  #next = 0;
  /** First number not covered by a frame: below `#next` while numbers without an event for this client wait for one. */
  #unsent = 0;
  /** Ends of the batches sent and not yet acknowledged, oldest first. */
  #unacknowledged: number[] = [];
  /** Distinguishes answers of an older `open` from the present one. */
  #round = 0;
  /** Events for the client from numbers below `#next` that no frame covers. */
  #gathered: readonly NotedEvent[] = [];
  /** Cancels the pause after a frame with many rows. */
  #rest: Cancel | undefined;
  /** Cancels the wait of numbers without an event for this client. */
  #quiet: Cancel | undefined;

  constructor(streams: Streams, deps: SubscriberDependencies) {
    this.#streams = streams;
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get scope(): StreamScope {
    return this.#scope;
  }

  /** True if it is open and behind with its acknowledgements: no more frames are built for it. */
  get isBlocked(): boolean {
    return this.isOpen && this.#unacknowledged.length >= STREAM.unacknowledged;
  }

  /**
   * Starts (or restarts) at the present event. The first batch begins at the returned sequence + 1 and is sent after the answer.
   * @param afterAnswer called with work to do once the answer is being sent
   */
  async start(
    { epoch, since, scope = 'all' }: Params<'stream.open'>,
    afterAnswer: (act: () => void) => void,
  ): Promise<StreamStart> {
    this.close();
    const { source } = this.#streams;
    this.#scope = scope;
    this.#state = 'opening';
    this.#streams.add(this);
    const sequence = source.sequence;
    const round = this.#round;
    this.#next = sequence + 1;
    this.#unsent = this.#next;
    const known = epoch === undefined || epoch === source.epoch;
    const noted = known && since !== undefined ? source.since(since, STREAM.ringEvents) : undefined;
    const missed = noted?.map((event) => event.read());
    const isWhole = missed !== undefined && fitsOneFrame(missed);
    try {
      const rest = isWhole ? { missed } : { snapshot: await this.#streams.snapshot() };
      afterAnswer(() => this.#begin(round));
      return { epoch: source.epoch, sequence, ...rest };
    } catch (error) {
      if (round === this.#round) this.close();
      throw error;
    }
  }

  /** Notes that the client has read a complete message: with scope `opened` it gets the message's events from now on. */
  noteOpened(messageId: string): void {
    this.#opened.delete(messageId);
    this.#opened.add(messageId);
    const [oldest] = this.#opened;
    if (this.#opened.size > MAX_OPENED && oldest !== undefined) this.#opened.delete(oldest);
  }

  acknowledge(sequence: number): void {
    this.#unacknowledged = this.#unacknowledged.filter((to) => to > sequence);
    this.#catchUp();
    this.#deps.onReady(false);
  }

  close(): void {
    this.#round += 1;
    this.#rest?.();
    this.#rest = undefined;
    this.#quiet?.();
    this.#quiet = undefined;
    this.#state = 'closed';
    this.#unacknowledged = [];
    this.#gathered = [];
    this.#streams.remove(this);
  }

  /** Sends a batch if the client is in step; otherwise it catches up when it acknowledges. */
  take(batch: Batch): void {
    if (this.#state !== 'open' || this.isBlocked) return;
    if (this.#rest !== undefined) {
      if (batch.to - this.#next >= MAX_RESTED) this.#gather(batch.to);
      return;
    }
    // A ring that has lost a part of a batch already has to say so, as it does to a client that comes late.
    if (batch.from !== this.#next || batch.from < this.#streams.source.oldest) this.#catchUp();
    else if (this.#scope === 'all') this.#send(this.#streams.framesForAll(batch));
    else {
      const picks = this.#picks();
      this.#sendPicked(this.#kept(batch.from, batch.to, picks), picks, batch.to);
    }
  }

  /** Sends this client a text that is not a batch. */
  push(text: string): void {
    this.#deps.send(text);
  }

  #begin(round: number): void {
    if (round !== this.#round || this.#state !== 'opening') return;
    this.#state = 'open';
    this.#catchUp();
    this.#deps.onReady(true);
  }

  /** Sends batches that were created while this client was not in step; restarts it if the ring has lost some. */
  #catchUp(): void {
    const { source } = this.#streams;
    while (this.#isInStep && (this.#next <= this.#streams.sentTo || this.#gathered.length > 0)) {
      if (this.#next < source.oldest) {
        this.close();
        this.#deps.send(notification('stream.reset', { epoch: source.epoch }));
        return;
      }
      const from = this.#next;
      const to = Math.max(this.#streams.sentTo, from - 1);
      if (this.#scope === 'all') this.#sendAll(from, Math.min(to, from + STREAM.batchEvents - 1));
      else {
        const picks = this.#picks();
        this.#sendPicked(this.#kept(from, to, picks), picks, to);
      }
    }
  }

  #sendAll(from: number, to: number): void {
    const events = readFolded(this.#kept(from, to));
    this.#send(framesOf(this.#streams.source.epoch, { from, to, events }));
  }

  /**
   * Takes the events for the client out of the ring during a pause. A frame instead would end the pause, and under load a screenful costs more to
   * send than to keep.
   */
  #gather(to: number): void {
    // If the ring has lost some, the end of the pause finds that out.
    if (this.#next < this.#streams.source.oldest) return;
    const picks = this.#picks();
    this.#gathered = this.#withGathered(this.#kept(this.#next, to, picks), picks).map(notedOf);
    this.#next = to + 1;
  }

  /** Events after the gathered ones, folded with those of them that are still for the client. */
  #withGathered(
    events: readonly NotedEvent[],
    picks: (event: NotedEvent) => boolean,
  ): readonly ConsoleEvent[] {
    return readFolded([...this.#gathered.filter(picks), ...events]);
  }

  /** Events of the ring with these numbers. Without a list of all of them: under load a client wants a hundred of eight thousand. */
  #kept(from: number, to: number, isPicked?: (event: NotedEvent) => boolean): readonly NotedEvent[] {
    const { source } = this.#streams;
    const events: NotedEvent[] = [];
    for (let number = from; number <= to; number += 1) {
      const event = source.at(number);
      if (event !== undefined && !event.isGivenUp && isPicked?.(event) !== false) events.push(event);
    }
    return events;
  }

  /** Tells for one batch which events are for this client. */
  #picks(): (event: NotedEvent) => boolean {
    return this.#scope === 'views' ? this.#deps.shownNow() : (event) => this.#isOpened(event);
  }

  /** True when the next batch can be sent. */
  get #isInStep(): boolean {
    return this.#state === 'open' && !this.isBlocked && this.#rest === undefined;
  }

  /** Sends as many frames as the client has room for; it catches up with the rest when it acknowledges. */
  #send(frames: readonly BatchFrame[]): void {
    for (const { to, text } of frames) {
      if (this.#state !== 'open' || this.isBlocked) break;
      this.#unsent = to + 1;
      this.#unacknowledged.push(to);
      this.#deps.send(text);
    }
    this.#next = this.#unsent;
  }

  /** Sends events for this client, up to a number; numbers without any are sent with the next events, or a little later. */
  #sendPicked(events: readonly NotedEvent[], picks: (event: NotedEvent) => boolean, to: number): void {
    const picked = this.#withGathered(events, picks);
    this.#gathered = [];
    if (picked.length === 0) {
      this.#next = to + 1;
      this.#quiet ??= this.#streams.after(QUIET_MS, () => this.#sendNumbers());
      return;
    }
    this.#sendFrom(picked, to);
    // The connection may have been closed by what it was sent.
    if (this.#state !== 'open') return;
    if (this.#unsent <= to) {
      // No room for all frames: the ring may not have these any more when there is.
      this.#gathered = picked.filter(({ sequence }) => sequence >= this.#unsent).map(notedOf);
      this.#next = to + 1;
    }
    const pauseMs = this.#scope === 'views' ? pauseAfter(picked.length, this.#streams.isFlood) : 0;
    if (pauseMs === 0) return;
    this.#rest ??= this.#streams.after(pauseMs, () => {
      this.#rest = undefined;
      this.#catchUp();
    });
  }

  #sendFrom(events: readonly ConsoleEvent[], to: number): void {
    this.#quiet?.();
    this.#quiet = undefined;
    this.#send(framesOf(this.#streams.source.epoch, { from: this.#unsent, to, events }));
  }

  #sendNumbers(): void {
    this.#quiet = undefined;
    if (this.isBlocked) this.#quiet = this.#streams.after(QUIET_MS, () => this.#sendNumbers());
    else this.#sendFrom([], this.#next - 1);
  }

  #isOpened({ type, messageId }: NotedEvent): boolean {
    if (type === 'log.added' || type === 'process.output') return false;
    return messageId === undefined || this.#opened.has(messageId);
  }
}

/** An event that has been read, as one of the ring. */
function notedOf(event: ConsoleEvent): NotedEvent {
  const { sequence, type } = event;
  const number =
    event.type === 'message.added' ? event.row.number : 'number' in event ? event.number : undefined;
  const messageId =
    event.type === 'message.added' ? event.row.messageId : 'messageId' in event ? event.messageId : undefined;
  return { sequence, type, number, messageId, size: 0, isGivenUp: false, read: () => event };
}

/** Whether the answer fits into one frame of a carrier. */
function fitsOneFrame(missed: readonly ConsoleEvent[]): boolean {
  if (missed.length <= MEASURE_ABOVE) return true;
  return Buffer.byteLength(JSON.stringify(missed)) < MAX_FRAME_BYTES - 64 * 1024;
}
