// Runs the tests that need no built product; conformance, browser journeys and benches have runners of their own.
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: [
      ...configDefaults.exclude,
      'dist/**',
      '.node/**',
      'test/conformance/**',
      'test/e2e/**',
      'test/bench/**',
    ],
    environment: 'node',
    passWithNoTests: true,
    restoreMocks: true,
    // A hang is a failure with a name, not a stopped run.
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
