/** Numbers of the table in docs/bounds.md are those of the sources. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const rows = read('docs/bounds.md').split('\n');

/** Beginning of a row, a number in it, the file that has it, and how it is written there. */
const BOUNDS: readonly (readonly [row: string, number: string, file: string, written: string])[] = [
  [
    'a filter, also of a hold or a mock rule',
    '| 10,000 characters;',
    'core/domain/filter/parse.ts',
    'MAX_FILTER_LENGTH = 10_000',
  ],
  ['entries of a bulk publish', '100,000', 'core/domain/bulk-publish.ts', 'MAX_ENTRIES = 100_000'],
  ['data in the publish form', '100,000', 'renderer/views/publish/Outcome.tsx', 'MAX_LENGTH = 100_000'],
  ['compressed gRPC requests', 'four of a sidecar', 'core/grpc-protocol/counted-requests.ts', 'AT_ONCE = 4'],
  [
    'bodies of requests that are received',
    '8 KiB',
    'core/grpc-protocol/counted-requests.ts',
    'CALL_MEMORY = 8 * 1024',
  ],
  [
    'bodies of requests that are received',
    '200 bytes',
    'core/grpc-protocol/counted-requests.ts',
    'KEY_MEMORY = 200',
  ],
  [
    'bodies of requests that are received',
    '256 bytes',
    'core/grpc-protocol/counted-requests.ts',
    'MESSAGE_MEMORY = 256',
  ],
  ['answers of a sidecar of 64 KiB', '64 KiB', 'core/domain/http-edge.ts', 'LARGE_ANSWER_BYTES = 64 * 1024'],
  [
    'bodies of requests to all mock apps',
    '64 KiB',
    'core/domain/http-edge.ts',
    'LARGE_ANSWER_BYTES = 64 * 1024',
  ],
  ['answers of 64 KiB', '64 KiB', 'core/runtime/state/body-turns.ts', 'LARGE_BYTES = 64 * 1024'],
  ['answers of a sidecar of 64 KiB', '4 MiB', 'core/grpc/open-calls.ts', 'BEYOND_BYTES = 4 * 1024 * 1024'],
  ['requests to the console of', '256 Ki', 'core/console/dispatch.ts', 'LARGE_TEXT = 256 * 1024'],
  ['a WebSocket message', '8,192 frames', 'core/console/carriers/websocket.ts', 'MAX_PIECES = 8192'],
  [
    'what has come of requests to the console',
    'a sixteenth of the heap',
    'core/host/memory-shares.ts',
    'CONSOLE_SHARE = 1 / 16',
  ],
  [
    'attributes of an event that its publisher has made',
    '100,000',
    'core/domain/own-event.ts',
    'MAX_ATTRIBUTES = 100_000',
  ],
  [
    'bodies of requests to all mock apps',
    '256 MiB each',
    'core/mock-app/request-limits.ts',
    'MAX_BODY_BYTES = 256 * 1024 * 1024',
  ],
  [
    'what a request of more than 1 KiB to a mock app',
    '64 bytes more for each colon and opening bracket of its JSON, 32 for each text and 24 for each comma',
    'core/mock-app/body-scan.ts',
    'MEMORY = { opening: 64, name: 64, text: 32, element: 24 }',
  ],
  [
    'a request to a mock app that no sidecar',
    '32 MiB, 1,000,000 values and 100,000 names of members in one piece',
    'core/mock-app/request-limits.ts',
    'bytes: 32 * 1024 * 1024, values: 1_000_000, names: 100_000',
  ],
  [
    'a request to a mock app that no sidecar',
    '64 MiB each and 20,000 entries',
    'core/mock-app/request-limits.ts',
    'MAX_FOREIGN_BYTES = 64 * 1024 * 1024',
  ],
  [
    'a request to a mock app that no sidecar',
    '64 MiB each and 20,000 entries',
    'core/mock-app/request-limits.ts',
    'MAX_FOREIGN_ENTRIES = 20_000',
  ],
  [
    'what a request of more than 1 KiB to a mock app',
    'at most 100,000',
    'core/mock-app/grpc-listener.ts',
    'MAX_PARTS = 100_000',
  ],
  [
    'what the rules of all mock apps and taps remember',
    '200,000 of all',
    'core/mock-app/recent.ts',
    'MAX_TOGETHER = 200_000',
  ],
  [
    'what the rules of all mock apps and taps remember',
    '20,000',
    'core/mock-app/rule-book.ts',
    'COUNTERS_KEPT = 20_000',
  ],
  [
    'the list of requests of one mock app',
    '512 Ki characters',
    'core/mock-app/request-log.ts',
    'CHARACTERS_KEPT = 512 * 1024',
  ],
  ['open streams of an app to one topic', '1,000', 'core/runtime/apps/streams.ts', 'MAX_OF_TOPIC = 1000'],
  [
    'variables of saved requests',
    '1,000; 4 Mi',
    'core/console/saved/saved-requests.ts',
    'MAX_VARIABLE_CHARACTERS = 4 * 1024 * 1024',
  ],
  [
    'what is read of an imported recording',
    '256 Ki characters',
    'core/console/recordings/import-run.ts',
    'EFFORT_AT_ONCE = 256 * 1024',
  ],
  [
    'the log line and the banner of a refused publish',
    '4,000 characters',
    'core/host/refused-publishes.ts',
    'MAX_KIND_LENGTH = 4000',
  ],
  [
    'calls queued or under way for one app',
    '64 of one subscription and 128 together',
    'core/runtime/state/backpressure.ts',
    'QUEUED_CALLS = 128',
  ],
  [
    'calls queued or under way for one app',
    '250 ms',
    'core/runtime/state/backpressure.ts',
    'MAX_WAIT_MS = 250',
  ],
  ['unfinished work of one topic', 'nine times', 'core/domain/backlog.ts', 'SHARE = 9'],
  ['unfinished work of one topic', 'a tenth of the limit', 'core/domain/backlog.ts', 'LENT = 0.1'],
  ['copies on dead-letter topics', 'half as much again', 'core/domain/backlog.ts', 'COPIES = 1.5'],
  [
    'bodies of unfinished messages in memory',
    '64 MiB',
    'core/runtime/state/live-set.ts',
    'BODY_BUDGET_BYTES = 64 * 1024 * 1024',
  ],
  [
    'rules and subscriptions of all mock apps',
    '32 Mi characters',
    'core/mock-app/rule-room.ts',
    'MAX_CHARACTERS = 32 * 1024 * 1024',
  ],
  [
    'answers of the console that their clients have not read',
    '64 MiB',
    'core/console/carriers/unread-answers.ts',
    'waitFromBytes: 64 * 1024 * 1024',
  ],
  [
    'answers to one JSON-RPC batch',
    '32 Mi characters',
    'core/contract/rpc.ts',
    'MAX_BATCH_ANSWER = 32 * 1024 * 1024',
  ],
  ['a topic, a content type, a route', '16,384', 'core/domain/name-length.ts', 'MAX_NAME_LENGTH = 16_384'],
  ['metadata of a message', '1,000 keys', 'core/domain/metadata.ts', 'MAX_KEYS = 1000'],
  [
    'bodies of requests that are being published',
    '32 MiB',
    'core/runtime/publishing/publisher.ts',
    'REQUESTS_BYTES = 32 * 1024 * 1024',
  ],
  [
    'bodies of requests that are being published',
    'sixteen times its size',
    'core/runtime/publishing/bulk-publisher.ts',
    'TEXT_GROWTH = 16',
  ],
  [
    'bodies of requests that are being published',
    '600 bytes for each entry',
    'core/runtime/publishing/bulk-publisher.ts',
    'ENTRY_MEMORY = 600',
  ],
  [
    'bodies of requests that are being published',
    'above 4 MiB',
    'core/runtime/publishing/bulk-publisher.ts',
    'LARGE_BYTES = 4 * 1024 * 1024',
  ],
  [
    'bodies of requests that are being published',
    '32 MiB of their own',
    'core/runtime/publishing/bulk-publisher.ts',
    'ALL_LARGE_BYTES = 32 * 1024 * 1024',
  ],
  [
    'bodies of requests that are received',
    'a quarter of the heap',
    'core/host/memory-shares.ts',
    'BACKLOG_SHARE = 0.25',
  ],
  [
    'bodies of calls to one app',
    '64 MiB',
    'core/runtime/state/app.ts',
    'CALL_BODIES_BYTES = 64 * 1024 * 1024',
  ],
  ['one bulk delivery', '4 MiB', 'core/domain/bulk.ts', 'GRPC_MAX_BYTES = 4 * 1024 * 1024'],
  [
    'writes that the history has not taken yet',
    '10,000 groups',
    'core/runtime/persistence/writer.ts',
    'MAX_OWED = 10_000',
  ],
  [
    'records on disk that are not in the tables yet',
    '2 MiB',
    'core/adapters/sqlite-journal/newest-file.ts',
    'BYTES = 2 * 1024 * 1024',
  ],
  ['history in memory', '0.4 of the heap', 'core/host/memory-shares.ts', 'JOURNAL_SHARE = 0.4'],
  ['history in memory', '256 KiB', 'core/adapters/memory-journal/slab.ts', 'SLAB_BYTES = 256 * 1024'],
  [
    'WebSockets of the console',
    '100; 200; 20',
    'core/console/carriers/websocket.ts',
    'MAX_CONNECTIONS = 100',
  ],
  ['WebSockets of the console', '100; 200; 20', 'core/console/console.ts', 'MAX_RUNNING = 200'],
  ['WebSockets of the console', '100; 200; 20', 'core/console/views/views.ts', 'MAX_VIEWS = 20'],
  ['deliveries of all messages', '20,000', 'core/contract/page-bounds.ts', 'MAX_DELIVERIES = 20_000'],
  ['filters of all views', '100; 20', 'core/console/views/view-lists.ts', 'MAX_LISTS = 100'],
  ['filters of all views', '100; 20', 'core/console/jobs.ts', 'MAX_RUNNING = 20'],
  ['a connection to the gRPC port', '20 s', 'core/grpc/front.ts', 'SILENT_MS = 20_000'],
  ['the text and details of a refusal over gRPC', '400 characters', 'core/grpc/errors.ts', 'MAX_TEXT = 400'],
  ['the match rules of a subscription', '200,000 steps', 'core/domain/match.ts', 'MATCH_STEPS = 200_000'],
  [
    'the match rules of all subscriptions',
    '500,000 steps',
    'core/runtime/delivering/rule-turns.ts',
    'MAX_STEPS = 500_000',
  ],
  ['a body that passes a tap', '128 MiB', 'core/tap/body-room.ts', 'ALL_BODIES = 128 * 1024 * 1024'],
  [
    'events that a tap knows again',
    '20,000; 5,000',
    'core/runtime/tapping/observed-messages.ts',
    'MAX_KNOWN = 20_000',
  ],
  [
    'events that a tap knows again',
    '20,000; 5,000',
    'core/runtime/tapping/observed-messages.ts',
    'MAX_UNCLAIMED = 5_000',
  ],
  ['a match rule', '10,000 characters', 'core/domain/match.ts', 'MAX_TEXT = 10_000'],
  [
    'the match rules of one app',
    '250,000 characters',
    'core/domain/rule-allowance.ts',
    'MAX_RULE_CHARACTERS = 250_000',
  ],
  ['a resource file', '30,000 words', 'core/adapters/component-files/yaml-limits.ts', 'pieces: 30_000'],
  ['a resource file', '60,000 words', 'core/adapters/component-files/yaml-limits.ts', 'filePieces: 60_000'],
  ['a scenario file', '1,000 steps', 'core/contract/scenario.ts', 'MAX_STEPS = 1000'],
  ['a scenario file', '500 levels', 'core/host/test-command.ts', 'MAX_LEVELS = 500'],
  [
    'files of a resource folder together',
    '300,000 words',
    'core/adapters/component-files/yaml-limits.ts',
    'FOLDER_PIECES = 300_000',
  ],
  ['a filter, also of a hold', '100 levels', 'core/domain/filter/parse.ts', 'MAX_DEPTH = 100'],
  ['groups of Redis and JetStream', '10,000', 'core/runtime/apps/broker-groups.ts', 'MAX_GROUPS = 10_000'],
  [
    'a line of an imported recording',
    '64 Mi characters',
    'core/console/recordings/import-run.ts',
    'line: 64 * MI',
  ],
  [
    'a message of an imported recording',
    'with its attempts 64 Mi characters',
    'core/console/recordings/import-run.ts',
    'message: 64 * MI',
  ],
  [
    'subscriptions and rules of an imported recording',
    '8 Mi characters together',
    'core/console/recordings/import-run.ts',
    'setup: 8 * MI',
  ],
  [
    'a message of an imported recording',
    '16 Mi characters of messages',
    'core/console/recordings/import-run.ts',
    'writing: 16 * MI',
  ],
  ['a WebSocket that is refused', '4 KiB', 'core/console/carriers/websocket.ts', 'MAX_REFUSED_BYTES = 4096'],
  ['a body at the routes of the console', '4 KiB', 'core/console/server.ts', 'OPEN_ROUTE_BYTES = 4096'],
  [
    'a saved request with its variables',
    '16 Mi characters',
    'core/console/saved/saved-requests.ts',
    'FILLED_CHARACTERS = 16 * 1024 * 1024',
  ],
  ['lost streams of an app', '1,000', 'core/runtime/apps/streams.ts', 'MAX_LOST = 1_000'],
  [
    'subscriptions and rules of an imported recording',
    '10,000 subscriptions',
    'core/console/recordings/import-run.ts',
    'MAX_SETUP = 10_000',
  ],
  [
    'filters of all views; jobs that run',
    '`messages.replayMany` four',
    'core/runtime/commands/replay-jobs.ts',
    'MAX_RUNNING = 4',
  ],
  ['problems that an import reports', '100', 'core/console/recordings/import-run.ts', 'MAX_PROBLEMS = 100'],
  ['holds', '500', 'core/runtime/state/holds.ts', 'MAX_HOLDS = 500'],
  ['variables in an answer', '1,000', 'core/mock-app/check-rules.ts', 'MAX_VARIABLES = 1_000'],
  [
    'what all holds do with one message',
    '3,000,000 steps',
    'core/domain/filter/live-bounds.ts',
    'LIVE_STEPS = 3_000_000',
  ],
  ['request files beside the components', '200; 16 MiB', 'core/adapters/request-files.ts', 'MAX_FILES = 200'],
  [
    'request files beside the components',
    '200; 16 MiB',
    'core/adapters/request-files.ts',
    'MAX_TOTAL_BYTES = 16 * 1024 * 1024',
  ],
  [
    'saved requests; own sets',
    '32 Mi characters',
    'core/console/saved/room.ts',
    'MAX_CHARACTERS = 32 * 1024 * 1024',
  ],
  [
    'drafts of the publish screens',
    '6 Mi characters',
    'core/console/saved/drafts.ts',
    'MAX_CHARACTERS = 6 * 1024 * 1024',
  ],
  [
    'a payload schema',
    '256 Ki characters',
    'core/console/saved/payload-schemas.ts',
    'MAX_SCHEMA_CHARACTERS = 256 * 1024',
  ],
  [
    'bodies in an attempt record',
    '256 KiB',
    'core/runtime/state/attempt-record.ts',
    'BODY_CAP_BYTES = 256 * 1024',
  ],
  ['imported recordings', 'five', 'core/console/recordings/open-recordings.ts', 'MAX_OPEN = 5'],
  ['who published', '2,000 publishes', 'core/runtime/publishing/callers.ts', 'KEPT = 2000'],
  [
    'attributes that an app adds',
    '1,000; 1 Mi characters',
    'core/runtime/sidecar.ts',
    'MAX_ATTRIBUTES = 1000',
  ],
  [
    'attributes that an app adds',
    '1,000; 1 Mi characters',
    'core/runtime/sidecar.ts',
    'ATTRIBUTES_SIZE = 1024 * 1024',
  ],
  ['values, lists and objects in an app', '100,000', 'core/domain/answer.ts', 'MAX_VALUES = 100_000'],
  ['values, lists and objects in an app', '400,000', 'core/domain/answer.ts', 'MAX_LIST_VALUES = 400_000'],
  ["entries of an app's reply over gRPC", '100,000', 'core/grpc-protocol/replies.ts', 'MAX_PARTS = 100_000'],
  [
    'subscriptions of one discovery answer',
    '5,000',
    'core/domain/subscription.ts',
    'MAX_SUBSCRIPTIONS = 5000',
  ],
  ['problems of one discovery answer', '100', 'core/domain/subscription.ts', 'MAX_PROBLEMS = 100'],
  ['compiled patterns of', '500,000', 'core/domain/match-patterns.ts', 'MAX_STEPS = 500_000'],
  ['a pattern of', '200,000', 'core/domain/match-patterns.ts', 'WRITTEN_STEPS = 200_000'],
  [
    'a line of an imported recording',
    '1,000,000 values',
    'core/console/recordings/import-run.ts',
    'MAX_VALUES = 1_000_000',
  ],
  [
    'a line of an imported recording',
    '50,000 of each part',
    'core/console/recordings/check-line.ts',
    'MAX_PARTS = 50_000',
  ],
  [
    'a message of an imported recording',
    '1,000 transitions',
    'core/console/recordings/recording-lines.ts',
    'MAX_TRANSITIONS = 1000',
  ],
  [
    'what is read of an imported recording',
    '500 elements',
    'core/console/recordings/check-line.ts',
    'AT_ONCE = 500',
  ],
  [
    'what is read of an imported recording',
    '500 steps',
    'core/console/recordings/import-run.ts',
    'RECORDS_AT_ONCE = 500',
  ],
  ...['messages that an app dropped at a route', 'messages that no app got'].flatMap((row): typeof BOUNDS => [
    [row, '1,000 of each', 'core/runtime/apps/counted-messages.ts', 'MAX_COUNTED = 1000'],
    [row, ' 20 ', 'core/runtime/apps/counted-messages.ts', 'MAX_PLACES = 20'],
  ]),
  ['messages that no app got', 'once a second', 'core/runtime/apps/recount.ts', 'COUNT_EVERY_MS = 1000'],
  ['topics with counters', '10,000', 'core/runtime/telemetry/metrics.ts', 'MAX_TOPICS = 10_000'],
  ['folders watched for one app', '1,000', 'core/host/multi-run/missed-changes.ts', 'MAX_FOLDERS = 1000'],
];

/** Whether the source has it, and not only a larger number that begins with the same digits. */
function has(source: string, written: string): boolean {
  const [, ...behind] = source.split(written);
  return behind.some((rest) => !/^(?:[\w.]| \*)/.test(rest));
}

test.each(BOUNDS)('the row %s has the number %s of the code', (row, number, file, written) => {
  const line = rows.find((each) => each.startsWith(`| ${row}`));
  expect(line).toContain(number);
  expect(has(read(file), written)).toBe(true);
});

test.each([
  ['const MOST = 40;', 'MOST = 4'],
  ['const MOST = 4_000;', 'MOST = 4'],
  ['const SHARE = 0.45;', 'SHARE = 0.4'],
  ['const BYTES = 64 * 1024 * 1024;', 'BYTES = 64 * 1024'],
])('canary: %s is not %s', (source, written) => {
  expect(has(source, written)).toBe(false);
  expect(has(`const ${written};`, written)).toBe(true);
});
