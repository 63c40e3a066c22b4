// Vitest in three projects: unit (needs nothing built), conformance (speaks HTTP to a sidecar), long (faults and soaks).
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';

const BROWSER_JOURNEYS = ['test/e2e/**', 'test/bench/**'];
const LONG = 'test/**/*.long.test.ts';

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'node',
    passWithNoTests: true,
    restoreMocks: true,
    // A hang is a failure with a name, not a run that stops.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    exclude: [...configDefaults.exclude, 'dist/**', '.node/**'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: [...BROWSER_JOURNEYS, 'test/conformance/**', LONG],
        },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { name: 'long', include: [LONG], testTimeout: 600_000, hookTimeout: 120_000 },
      },
    ],
  },
});
