/** Dependencies of the methods: the runtime, the mock apps, settings, component files, and the parts of the console itself. */
import type { LogEntry, Page, Params, Result, SystemDescription, Whole } from '../../contract/console.ts';
import type { ProcessRow } from '../../contract/methods/processes.ts';
import type { NewTap, TapRow } from '../../contract/tap.ts';
import type { AppRow, NewApp, Subscription } from '../../contract/subscription.ts';
import type { Peer } from '../../contract/rpc.ts';
import type { ProbeAnswer } from '../../contract/reports.ts';
import type { Codec } from '../../domain/codec.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ComponentSource } from '../../ports/component-source.ts';
import type { EventCheck } from '../../ports/event-check.ts';
import type { EventRouterMethods } from '../../ports/event-router.ts';
import type { MockApp } from '../../ports/mock-app.ts';
import type { SettingsStore } from '../../ports/settings-store.ts';
import type { RequestFiles } from '../../ports/request-files.ts';
import type { RuntimeApi } from '../../runtime/runtime.ts';
import type { Random } from '../../ports/random.ts';
import type { RecordingTexts } from '../../ports/recording-texts.ts';
import type { SchemaCheck } from '../../ports/schema-check.ts';
import type { Drafts } from '../saved/drafts.ts';
import type { Jobs } from '../jobs.ts';
import type { LongPoll } from '../stream/long-poll.ts';
import type { OwnPresets } from '../saved/own-presets.ts';
import type { PayloadParts } from '../payload-parts.ts';
import type { PayloadSchemas } from '../saved/payload-schemas.ts';
import type { OpenRecordings, OpenRecordingJournal } from '../recordings/open-recordings.ts';
import type { SavedRequests } from '../saved/saved-requests.ts';
import type { SavedViews } from '../saved/saved-views.ts';
import type { SeenValues } from '../saved/seen-values.ts';

/** Facts about the product, which stay the same while it runs, except the banners. */
export interface ProductFacts {
  readonly version: string;
  readonly profile: SystemDescription['profile'];
  readonly ephemeral: boolean;
  readonly dataDir?: string;
  /** Shows a file in its folder; only in a desktop window. */
  readonly reveal?: (path: string) => void;
  /** Values that must not leave with an export, for example API tokens. */
  readonly secrets?: readonly string[];
  banners(): SystemDescription['banners'];
}

export interface Samples {
  add(): Promise<Result<'samples.add'>>;
  remove(): Promise<Result<'samples.remove'>>;
}

/** Apps that come and go while the product runs. */
export interface Apps {
  add(request: NewApp): Promise<AppRow>;
  remove(appId: string): Promise<Result<'apps.remove'>>;
}

/** Taps between apps and foreign sidecars. */
export interface Taps {
  list(): readonly TapRow[];
  /** Subscriptions of tapped apps, as far as they are known. */
  subscriptions(): readonly Subscription[];
  add(request: NewTap): Promise<TapRow>;
  remove(appId: string): Promise<Result<'taps.remove'>>;
}

/** Processes of apps that this start has started. Acts throw Refusal NOT_FOUND for an app that has none. */
export interface ProcessService {
  list(): readonly ProcessRow[];
  /** @param by who asks for it; absent: a person */
  restart(appId: string, by?: Peer): Promise<ProcessRow>;
  stop(appId: string, by?: Peer): Promise<ProcessRow>;
  start(appId: string): Promise<ProcessRow>;
  logs(query: Params<'processes.logs'>): Page<LogEntry>;
}

/** Services that the host gives to the methods. */
export interface HostServices {
  readonly runtime: RuntimeApi;
  readonly settings: SettingsStore;
  readonly components: ComponentSource;
  /** The mock app of an app; without an id the first one there is. */
  readonly mockApp: (appId?: string) => MockApp | undefined;
  readonly samples: Samples;
  /** Calls a path of the app's sidecar over HTTP, as anybody would. Throws Refusal when it does not answer. */
  readonly callSidecar: (appId: string, path: string) => Promise<ProbeAnswer>;
  readonly apps: Apps;
  readonly taps: Taps;
  readonly processes: ProcessService;
  readonly eventRouter: EventRouterMethods;
  readonly facts: ProductFacts;
  /** Resolves when settings, mock apps and added apps, as they are now, are on disk. Never rejects. */
  readonly settled: () => Promise<void>;
  /** Opens a journal for an imported recording; closing it leaves nothing behind. */
  readonly openRecordingJournal: OpenRecordingJournal;
  readonly codec: Codec;
  readonly clock: Clock;
  readonly random: Random;
  readonly schemaCheck: SchemaCheck;
  readonly recordingTexts: RecordingTexts;
  readonly eventCheck: EventCheck;
  /** Saved requests of a folder, where there is one. */
  readonly requestFiles?: RequestFiles;
  /** A variable of the environment that Sidelight was started in. */
  readonly env: (name: string) => string | undefined;
}

export interface MethodDependencies extends HostServices {
  /** Origin at which the console is served. */
  readonly url: () => string;
  /** A new one-time link to the console. */
  readonly link: () => string;
  /** Ends every key of a page and every link; gives how many pages were open. */
  readonly revoke: () => { readonly pages: number };
  readonly longPoll: LongPoll;
  readonly seen: SeenValues;
  readonly savedViews: SavedViews;
  readonly presets: OwnPresets;
  readonly jobs: Jobs;
  readonly openRecordings: OpenRecordings;
  readonly payloads: PayloadParts;
  readonly schemas: PayloadSchemas;
  readonly requests: SavedRequests;
  readonly drafts: Drafts;
}

/** A short list, which has no further page. */
export function whole<T>(items: readonly T[]): Whole<T> {
  return { items, nextCursor: null };
}
