// Vitest in three projects: unit (needs nothing built), shell (packs and starts what was built), long (faults and soaks).
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';

const BROWSER_JOURNEYS = ['test/e2e/**', 'test/bench/**'];
const LONG = 'test/**/*.long.test.ts';
const BUILT_SHELL = [
  'test/electron/package.test.ts',
  'test/electron/starter.test.ts',
  'test/tooling/bundle.test.ts',
];

export default defineConfig({
  plugins: [react()],
  // Loading the real package would fetch its binary, so no test ever does.
  resolve: { alias: { electron: path.join(import.meta.dirname, 'test', 'electron', 'stand-in.ts') } },
  test: {
    environment: 'node',
    passWithNoTests: true,
    // Threads that run from source take their stripped text from here: stripping is WebAssembly, and V8 can end a process in
    // which several threads compile and free some at once ("Check failed: jit_page.has_value()"). What is built strips nothing.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, '.cache', 'compile') },
    restoreMocks: true,
    // A hang is a failure with a name, not a run that stops.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Hosted machines are shared; see playwright.config.ts.
    retry: process.env['CI'] ? 1 : 0,
    exclude: [...configDefaults.exclude, 'dist/**', '.node/**'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: [...BROWSER_JOURNEYS, LONG, ...BUILT_SHELL],
        },
      },
      {
        extends: true,
        test: { name: 'shell', include: BUILT_SHELL, testTimeout: 60_000 },
      },
      {
        extends: true,
        test: { name: 'long', include: [LONG], testTimeout: 600_000, hookTimeout: 120_000 },
      },
    ],
  },
});
