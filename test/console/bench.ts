/** A whole console over a fake runtime, for the tests of this folder. */
import { ExportText } from '../../core/domain/recording/export-texts.ts';
import { makeMaskedTest } from '../../core/domain/recording/masked-test.ts';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createEventCheck } from '../../core/adapters/event-check.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { createSchemaRules } from '../../core/adapters/json-schema/rules.ts';
import type { Console, ConsoleDependencies } from '../../core/console/console.ts';
import { errorBody } from '../../core/domain/refusal.ts';
import { ERRORS } from '../../core/contract/errors.ts';
import type { ErrorRow } from '../../core/contract/errors.ts';
import type { MockAppState } from '../../core/contract/mock-app.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import type { TextPipe } from '../../core/contract/rpc.ts';
import type { SettingItem } from '../../core/contract/settings.ts';
import type { TapRow } from '../../core/contract/tap.ts';
import type { AppRow } from '../../core/contract/subscription.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { defaultSettings } from '../../core/host/setting-table.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { ComponentSource } from '../../core/ports/component-source.ts';
import type { MockApp } from '../../core/ports/mock-app.ts';
import type { SettingsStore } from '../../core/ports/settings-store.ts';
import { fakeProcesses } from '../support/fake-processes.ts';
import { fakeEventRouter } from '../support/fake-event-router.ts';
import { FakeRuntime } from '../support/fake-runtime.ts';

const APP_ROW: AppRow = {
  appId: 'app',
  sidecar: 'http://127.0.0.1:3500',
  app: 'http://127.0.0.1:6001',
  protocol: 'http',
  mock: true,
  channel: 'unknown',
  healthy: false,
  discovery: { state: 'waiting', url: 'http://127.0.0.1:6001/sidecar/subscribe', count: 0 },
  problems: [],
};

const TAP_ROW: TapRow = {
  appId: 'tapped',
  appUrl: 'http://127.0.0.1:8080',
  sidecarUrl: 'http://127.0.0.1:3500',
  appPort: 6101,
  sidecarPort: 3501,
  profile: 'dapr',
  appAnswers: true,
  sidecarAnswers: true,
  problems: [],
  subscriptions: [],
  publishes: 0,
  deliveries: 0,
  others: 0,
  otherCalls: [],
  missed: 0,
  added: true,
};

export interface LogLine {
  readonly level: string;
  readonly part: string;
  readonly text: string;
}

export interface Bench {
  readonly runtime: FakeRuntime;
  readonly deps: ConsoleDependencies;
  readonly log: LogLine[];
  readonly saved: Map<string, unknown>;
  /** Files that were shown in their folder. */
  readonly revealed: readonly string[];
}

/** Everything that a console is made of; `clock` decides about every timer. */
export function makeBench(clock: Clock, ringSize?: number): Bench {
  const runtime = new FakeRuntime(ringSize);
  const log: LogLine[] = [];
  const saved = new Map<string, unknown>();
  let hex = 0;
  const revealed: string[] = [];
  const deps: ConsoleDependencies = {
    runtime,
    clock,
    codec: bufferCodec,
    random: { next: () => 0.5 },
    schemaCheck: schemasInline(),
    eventCheck: createEventCheck(),
    recordingTexts: textsInline(),
    env: (name) => (name === 'HOME_TOWN' ? 'Ghent' : undefined),
    settings: settingsOver(saved),
    components: componentsOver(),
    mockApp: (appId = 'app') => (appId === 'app' ? mockAppOver(saved) : undefined),
    callSidecar: async (appId, path) => ({
      url: `http://${appId}${path}`,
      at: '2026-03-01T00:00:00.000Z',
      tookMs: 1,
      status: 204,
      headers: {},
      body: '',
    }),
    samples: {
      add: () => Promise.resolve({ added: ['hold'], messageIds: ['msg_1'] }),
      remove: () => Promise.resolve({ removed: ['hold'] }),
    },
    apps: {
      add: ({ appId, url = 'http://127.0.0.1:6002' }) =>
        Promise.resolve({ ...APP_ROW, appId, app: url, added: true }),
      remove: () => Promise.resolve({ unfinished: 2 }),
    },
    taps: {
      subscriptions: () => [],
      list: () => [TAP_ROW],
      add: ({ appId, appUrl }) => Promise.resolve({ ...TAP_ROW, appId, appUrl }),
      remove: () => Promise.resolve({ unfinished: 0 }),
    },
    processes: fakeProcesses(),
    eventRouter: fakeEventRouter(),
    settled: () => Promise.resolve(),
    openRecordingJournal: () => Promise.resolve(createMemoryJournal({ codec: bufferCodec })),
    facts: {
      version: '1.2.3',
      profile: 'sidecar',
      ephemeral: true,
      reveal: (path) => void revealed.push(path),
      banners: () => [],
    },
    log: { write: (level, part, text) => void log.push({ level, part, text }) },
    ids: { next: (kind) => `${kind}_1`, uuid: () => 'uuid', hex: () => `${(hex += 1)}` },
    publishAnswer: (refusal, route, metadata) => {
      const row: ErrorRow = ERRORS[refusal.code];
      const body = errorBody(refusal.code, refusal.params, PROFILES.sidecar, { requestMetadata: metadata });
      return { status: (route === 'bulk' ? row.bulk : row.publish) ?? 500, body };
    },
    url: () => 'http://127.0.0.1:3580',
    link: () => 'http://127.0.0.1:3580/open?key=one-time',
    revoke: () => ({ pages: 2 }),
  };
  return { runtime, deps, log, saved, revealed };
}

export interface PipeEnd {
  readonly texts: string[];
  send(message: unknown): void;
  close(): void;
}

/** A console with one pipe attached; `texts` is everything that came out of it. */
export function attachPipe(console: Console, hear?: (text: string) => void): PipeEnd {
  const texts: string[] = [];
  let take: (text: string) => void = () => undefined;
  let gone: (reason: string) => void = () => undefined;
  const pipe: TextPipe = {
    send: (text) => {
      texts.push(text);
      hear?.(text);
    },
    onText: (listener) => {
      take = listener;
      return () => {
        take = () => undefined;
      };
    },
    onClose: (listener) => {
      gone = listener;
      return () => {
        gone = () => undefined;
      };
    },
  };
  console.attach(pipe);
  return {
    texts,
    send: (message) => take(typeof message === 'string' ? message : JSON.stringify(message)),
    close: () => gone('test'),
  };
}

/** Lets everything run that waits for nothing but its turn. */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

function settingsOver(saved: Map<string, unknown>): SettingsStore {
  return {
    current: defaultSettings(),
    items: (): readonly SettingItem[] =>
      [...saved].map(([key, value]) => ({ key, value, origin: 'here' as const })),
    set(key, value) {
      if (!key.includes('.')) {
        const reason = `There is no setting ${key}.`;
        throw new Refusal('INVALID_PARAMS', { reason }, { field: 'key', expected: 'a setting' });
      }
      saved.set(key, value);
    },
    onChange: () => () => undefined,
  };
}

function componentsOver(): ComponentSource {
  const files = new Map<string, string>();
  return {
    folder: '/components',
    load: () => Promise.resolve({ components: [], subscriptions: [], resiliency: [], problems: [] }),
    build: () => undefined,
    knownTypes: () => [],
    watch: () => () => undefined,
    validate: async (file, text) => (text === '' ? [{ file, line: 1, column: 1, message: 'empty' }] : []),
    read: (file) => Promise.resolve(files.get(file) ?? ''),
    save(file, text) {
      files.set(file, text);
      return Promise.resolve([]);
    },
  };
}

function mockAppOver(saved: Map<string, unknown>): MockApp {
  const state = (): MockAppState => ({
    appId: 'app',
    url: 'http://127.0.0.1:6001',
    subscriptions: [],
    rules: [],
    requests: [],
    received: 0,
    on: true,
  });
  return {
    appId: 'app',
    isOn: true,
    url: 'http://127.0.0.1:6001',
    state,
    setSubscriptions: (subscriptions) => void saved.set('subscriptions', subscriptions),
    checkRules: () => undefined,
    setRules: (rules) => void saved.set('rules', rules),
    presets: () => [],
    usePreset: (preset) => void saved.set('preset', preset),
    resetCounters: () => void saved.set('counters', 0),
    turn: async (on) => void saved.set('on', on),
    waiting: () => [],
    answer: () => false,
    answeredBy: () => undefined,
    onChange: () => () => undefined,
    onSet: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** Texts of recordings without a thread. */
function textsInline(): ConsoleDependencies['recordingTexts'] {
  return {
    open: (order) => {
      const text = new ExportText(order, bufferCodec);
      return {
        begin: async () => text.begin(),
        messages: async (recorded) => text.messages(recorded),
        end: async () => text.end(),
        drop: () => undefined,
      };
    },
    test: async (recorded, order) => makeMaskedTest(recorded, order, bufferCodec),
    close: async () => undefined,
  };
}

/** Checks of schemas without a thread. */
function schemasInline(): ConsoleDependencies['schemaCheck'] {
  const rules = createSchemaRules();
  return {
    problemOf: async (schema) => rules.problemOf(schema),
    check: async (schema, data) => rules.check(schema, data),
    close: async () => undefined,
  };
}
