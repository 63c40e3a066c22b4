/** The console without its carriers: methods, stream and views, and an entry for pipes. */
import type { AnswerRoom, Peer, TextPipe } from '../contract/rpc.ts';
import { MAX_FRAME_BYTES } from '../contract/rpc.ts';
import { errorText } from '../contract/error-text.ts';
import { sizeLimit } from '../contract/size-text.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { Refusal } from '../domain/refusal.ts';
import { RequestBodies } from '../domain/request-bodies.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import type { IdSource } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import { actorLog } from './actor-log.ts';
import { Batcher } from './stream/batcher.ts';
import type { Caller } from './caller.ts';
import { createDispatch } from './dispatch.ts';
import type { Dispatch } from './dispatch.ts';
import { Drafts } from './saved/drafts.ts';
import { FrameParts } from './frame-parts.ts';
import type { IncompleteTexts } from './incomplete-texts.ts';
import { Jobs } from './jobs.ts';
import { LongPoll } from './stream/long-poll.ts';
import { messageIdsIn } from './message-ids.ts';
import type { HostServices } from './methods/dependencies.ts';
import { publishRequest } from './methods/messages.ts';
import { createMethods } from './methods/table.ts';
import { OwnPresets } from './saved/own-presets.ts';
import { PayloadParts } from './payload-parts.ts';
import { PayloadSchemas } from './saved/payload-schemas.ts';
import { requestId } from './request-id.ts';
import { plainError } from './rpc-error.ts';
import type { PublishAnswer } from './rpc-error.ts';
import { OpenRecordings } from './recordings/open-recordings.ts';
import { SavedRequests } from './saved/saved-requests.ts';
import { SavedViews } from './saved/saved-views.ts';
import { SeenValues } from './saved/seen-values.ts';
import { StatusFeed } from './stream/status-feed.ts';
import { Streams } from './stream/stream.ts';
import { ViewLists } from './views/view-lists.ts';
import { ViewSet } from './views/views.ts';

/** Requests of one pipe that run at the same time; more are refused, so that a client cannot pile them up. */
const MAX_RUNNING = 200;

export interface ConsoleDependencies extends HostServices {
  readonly log: Log;
  readonly ids: IdSource;
  readonly publishAnswer: PublishAnswer;
  /** Origin at which the console is served. */
  readonly url: () => string;
  /** A new one-time link. */
  readonly link: () => string;
  /** Most bytes of requests that run at the same time, of all clients; default: no limit. */
  readonly requestBytes?: number | undefined;
  /** Counts what has come of requests that are not complete, of all clients; absent: nothing is counted. */
  readonly incomplete?: IncompleteTexts | undefined;
  /** Revokes every page key and link; returns the number of open pages. Throws Refusal if that could not be stored. */
  readonly revoke: () => { readonly pages: number };
}

export class Console {
  readonly #deps: ConsoleDependencies;
  readonly #dispatch: Dispatch;
  readonly #streams: Streams;
  readonly #status: StatusFeed;
  readonly #lists: ViewLists;
  /** Views opened over HTTP, which has no connection to own them. */
  readonly #httpViews: ViewSet;
  readonly #longPoll: LongPoll;
  readonly #jobs: Jobs;
  readonly #openRecordings: OpenRecordings;
  readonly #payloads: PayloadParts;
  readonly #requests: SavedRequests;
  readonly #drafts: Drafts;
  /** Write the kept values for the last time. */
  readonly #writeLast: (() => Promise<void>)[] = [];
  /** Counts the requests that run, of all clients. */
  readonly #bodies: BodyCount;
  readonly #pipes = new Set<() => void>();
  #views = 0;

  constructor(deps: ConsoleDependencies) {
    const { runtime, clock, log } = deps;
    const batcher = new Batcher(runtime.events, clock);
    this.#deps = deps;
    this.#bodies = new RequestBodies(deps.requestBytes ?? Infinity);
    this.#status = new StatusFeed({
      read: () => ({ ...runtime.status(), banners: deps.facts.banners() }),
      clients: () => this.#streams.open,
      clock,
    });
    this.#streams = new Streams({
      runtime,
      batcher,
      clock,
      onBatch: () => this.#status.touch(),
      onIdle: () => this.#status.close(),
    });
    const streams = this.#streams;
    const caughtUp = (): Promise<boolean> => runtime.caughtUp();
    const readsAll = (): boolean => streams.readsAll;
    this.#lists = new ViewLists({ journal: runtime.journal, batcher, clock, log, caughtUp, readsAll });
    this.#jobs = new Jobs(deps.ids);
    this.#openRecordings = new OpenRecordings(deps);
    const journalOf = (recordingId: string | undefined): Journal =>
      recordingId === undefined ? runtime.journal : this.#openRecordings.journal(recordingId);
    this.#payloads = new PayloadParts(journalOf, deps.codec, clock);
    this.#httpViews = this.#viewSet();
    this.#longPoll = new LongPoll(runtime.events, clock);
    const atClose = (close: () => Promise<void>): void => void this.#writeLast.push(close);
    const kept = { journal: runtime.journal, clock, log, atClose };
    this.#drafts = new Drafts(kept);
    this.#requests = new SavedRequests({
      ...kept,
      nextId: () => `req_${deps.ids.hex(6)}`,
      publish: (request) => runtime.publishByHand.one(publishRequest(request, deps.codec)),
      ...withoutUndefined({ files: deps.requestFiles }),
      template: { uuid: () => deps.ids.uuid(), random: () => deps.random.next(), env: deps.env },
    });
    const methods = createMethods({
      ...deps,
      longPoll: this.#longPoll,
      seen: new SeenValues({ ...deps, journalOf }),
      presets: new OwnPresets({ ...kept, nextId: () => `pre_${deps.ids.hex(6)}` }),
      savedViews: new SavedViews({ ...kept, nextId: () => `vws_${deps.ids.hex(6)}` }),
      jobs: this.#jobs,
      openRecordings: this.#openRecordings,
      payloads: this.#payloads,
      schemas: new PayloadSchemas({
        ...kept,
        schemaCheck: deps.schemaCheck,
        nextId: () => `sch_${deps.ids.hex(6)}`,
      }),
      requests: this.#requests,
      drafts: this.#drafts,
    });
    this.#dispatch = createDispatch(methods, deps, () => this.#settled(), messageIdsIn(journalOf));
  }

  /** Pipes attached at present. */
  get pipes(): number {
    return this.#pipes.size;
  }

  /** Answers one request or batch without a connection, which only a script sends. undefined: no answer. */
  async answer(text: string, signal: AbortSignal, room?: AnswerRoom): Promise<string | undefined> {
    const bytes = Buffer.byteLength(text);
    const noRoom = this.#bodies.take(bytes);
    if (noRoom !== undefined)
      return refusedFrame(new Refusal('TOO_LARGE', { reason: noRoom }), requestId(text));
    const after: (() => void)[] = [];
    const afterAnswer = (act: () => void): void => void after.push(act);
    const caller: Caller = { signal, by: 'script', views: this.#httpViews, room, afterAnswer };
    const answer = await this.#dispatch(text, caller).finally(() => this.#bodies.free(bytes));
    for (const act of after) act();
    return answer;
  }

  /**
   * Serves an admitted peer until its pipe or the console closes.
   * @param by who calls, if it is not a person at a page: each call of an actor is logged
   */
  attach(pipe: TextPipe, by?: Peer): void {
    const gone = new AbortController();
    const views = this.#viewSet({
      send: (text) => pipe.send(text),
      isBlocked: () => subscriber.isBlocked,
    });
    const subscriber = this.#streams.subscriber({
      send: (text) => pipe.send(text),
      shownNow: () => views.shownNow(),
      onReady: (hasBegun) => {
        if (hasBegun) this.#status.greet(subscriber);
        else this.#status.send(subscriber);
        views.resume();
      },
    });
    let running = 0;
    const take = async (text: string, bytes: number): Promise<void> => {
      const after: (() => void)[] = [];
      running += 1;
      const caller: Caller = {
        signal: gone.signal,
        subscriber,
        views,
        room: pipe.room,
        ...withoutUndefined({ by }),
        ...(by === undefined || by === 'script' ? {} : { onCall: actorLog(this.#deps.runtime.log, by) }),
        afterAnswer: (act) => void after.push(act),
      };
      const answer = await this.#dispatch(text, caller).finally(() => {
        running -= 1;
        this.#bodies.free(bytes);
      });
      if (gone.signal.aborted) return;
      if (answer !== undefined) pipe.send(answer);
      for (const act of after) act();
    };
    const { clock, incomplete } = this.#deps;
    const parts = new FrameParts(clock, (refusal) => pipe.send(refusedFrame(refusal)), incomplete);
    const stopTaking = pipe.onText((frame) => {
      const text = parts.take(frame);
      if (text === undefined) return;
      const bytes = Buffer.byteLength(text);
      const refusal = this.#takeRoom(bytes, running);
      if (refusal === undefined) void take(text, bytes);
      else pipe.send(refusedFrame(refusal, requestId(text)));
    });
    let stopWatching = (): void => undefined;
    const leave = (): void => {
      if (!this.#pipes.delete(leave)) return;
      stopTaking();
      parts.close();
      stopWatching();
      gone.abort();
      subscriber.close();
      views.closeAll();
    };
    this.#pipes.add(leave);
    stopWatching = pipe.onClose(leave);
  }

  /**
   * Counts a request of a peer.
   * @param running requests of the peer that run already
   * @returns why it is refused, and then it is not counted
   */
  #takeRoom(bytes: number, running: number): Refusal | undefined {
    if (running >= MAX_RUNNING || bytes > MAX_FRAME_BYTES) return tooMuch(running < MAX_RUNNING);
    const reason = this.#bodies.take(bytes);
    return reason === undefined ? undefined : new Refusal('TOO_LARGE', { reason });
  }

  async close(): Promise<void> {
    this.#jobs.cancelAll();
    for (const leave of [...this.#pipes]) leave();
    this.#longPoll.close();
    this.#httpViews.closeAll();
    this.#status.close();
    this.#payloads.close();
    const { recordingTexts, schemaCheck } = this.#deps;
    await Promise.all([this.#openRecordings.closeAll(), recordingTexts.close(), schemaCheck.close()]);
    await Promise.all(this.#writeLast.map((write) => write()));
  }

  /** Resolves when all changes so far are on disk, or pending for a disk that refuses them for now. */
  async #settled(): Promise<void> {
    await Promise.all([this.#requests.flush(), this.#drafts.flush(), this.#deps.settled()]);
    await this.#deps.runtime.written();
  }

  #viewSet(push?: { readonly send: (text: string) => void; readonly isBlocked: () => boolean }): ViewSet {
    const { clock, log } = this.#deps;
    return new ViewSet({
      lists: this.#lists,
      listsOf: (recordingId) => this.#openRecordings.lists(recordingId),
      clock,
      nextId: () => `view_${(this.#views += 1)}`,
      push,
      onFailure: (error) => {
        const why = errorText(error);
        log.write('error', 'console', `Sidelight could not send the changes of a view: ${why}`);
      },
    });
  }
}

/** Refusal for a peer that sends too many requests, or too long texts. */
function tooMuch(isFrame: boolean): Refusal {
  const reason = isFrame
    ? `A request has at most ${sizeLimit(MAX_FRAME_BYTES)}.`
    : `At most ${MAX_RUNNING} requests of a connection run at a time.`;
  return new Refusal('TOO_LARGE', { reason });
}

/** Answer to a peer for a text that is refused before it is dispatched. */
function refusedFrame(refusal: Refusal, id: string | number | null = null): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: plainError(refusal) });
}
