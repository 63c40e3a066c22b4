// Vitest in four projects: unit and unit-apart (need nothing built), shell (starts what was built), long (faults and soaks).
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';

const BROWSER_JOURNEYS = ['test/e2e/**', 'test/bench/**'];
const LONG = 'test/**/*.long.test.ts';
const BUILT_SHELL = [
  'test/electron/starter.test.ts',
  'test/scenario/testing-page.test.ts',
  'test/tooling/bundle.test.ts',
  'test/tooling/program.test.ts',
];

/** Rooms whose files leave nothing behind in the process: no replaced module, no global, no variable of the environment. */
const ROOMS = [
  ...[
    'adapters',
    'architecture',
    'console',
    'domain',
    'event-router',
    'faults',
    'grpc',
    'host',
    'host/multi-run',
  ],
  ...[
    'http',
    'local-router',
    'mcp',
    'mock-app',
    'renderer',
    'runtime',
    'scenario',
    'security',
    'tap',
    'tooling',
  ],
];
/** Files of these rooms that do: they replace modules, or look at the memory, the arguments or the listeners of their own process. */
const APART = [
  'basics',
  'constant-time',
  'file-watch',
  'growing-file',
  'hidden-folder',
  'jetstream-settings',
  'many-files',
  'memory',
  'missed-changes',
  'request-log',
  'sqlite-suite',
  'sqlite-thread-death',
  'sqlite-write-refusal',
  'sqlite-waiting',
  'whole-file',
];
// What a negation names is left out as a beginning, so each name has its whole ending.
const SHARING = `test/{${ROOMS.join(',')}}/!(${APART.map((name) => `${name}.test`).join('|')})*.test.{ts,tsx}`;

/** Files of the desktop that start no shell and share no stand-in. */
const PLAIN_SHELL = 'test/electron/{arguments,builder-config,policy}.test.ts';

/** See test/e2e/extent.ts. */
const isLong = process.env['SIDELIGHT_TESTS'] === 'long';
const isBuilt = process.env['SIDELIGHT_PROGRAM'] !== undefined;
/** In `npm test` a file of test/support stands in for what is imported by this name. */
const builtInstead = (name: string, file: string): { find: string; replacement: string }[] =>
  isBuilt ? [{ find: name, replacement: path.join(import.meta.dirname, 'test/support', file) }] : [];

export default defineConfig({
  plugins: [react()],
  // Loading the real package would fetch its binary, so no test ever does.
  resolve: {
    alias: [
      { find: 'electron', replacement: path.join(import.meta.dirname, 'test', 'electron', 'stand-in.ts') },
      // A third of what a test of the journal takes is the start of its threads from source.
      ...builtInstead('../thread-file.ts', 'built-threads.ts'),
      ...builtInstead('../../core/testing/library.ts', 'built-library.ts'),
    ],
  },
  test: {
    environment: 'node',
    // A mistyped file or name fails instead of passing without a test.
    passWithNoTests: false,
    reporters: ['default', './scripts/test/ran-reporter.ts'],
    // Threads that run from source take their stripped text from here: stripping is WebAssembly, and V8 can end a process in
    // which several threads compile and free some at once ("Check failed: jit_page.has_value()"). What is built strips nothing.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, '.cache', 'compile') },
    restoreMocks: true,
    // A hang is a failure with a name, not a run that stops. Full counts take their time.
    testTimeout: isLong ? 1_800_000 : 20_000,
    hookTimeout: 20_000,
    // A second, as Vitest has it, is short on a busy machine. Only a test that fails waits this long.
    expect: { poll: { timeout: 15_000 } },
    // Hosted machines are shared; see playwright.config.ts.
    retry: process.env['CI'] ? 1 : 0,
    exclude: [...configDefaults.exclude, 'dist/**', '.node/**'],
    projects: [
      {
        extends: true,
        // Threads of the journal as well outlive the test that began them; those of its start and end are in unit-apart.
        resolve: { alias: builtInstead('./thread.ts', 'kept-journal-threads.ts') },
        // Loading the same modules again for each file took half a second of the processor each time.
        test: {
          name: 'unit',
          include: [SHARING, PLAIN_SHELL],
          exclude: [LONG, ...BUILT_SHELL],
          isolate: false,
          setupFiles: ['test/support/counted-buffers.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'unit-apart',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: [...BROWSER_JOURNEYS, LONG, ...BUILT_SHELL, SHARING, PLAIN_SHELL],
        },
      },
      {
        extends: true,
        test: { name: 'shell', include: BUILT_SHELL, testTimeout: 60_000 },
      },
      {
        extends: true,
        test: { name: 'long', include: [LONG], testTimeout: 1_800_000, hookTimeout: 600_000 },
      },
    ],
  },
});
