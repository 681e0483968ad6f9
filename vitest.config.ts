import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** `vitest run` runs the tests that a contributor waits for; `vitest run --mode all` also runs `*.long.test.ts`. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: mode === 'all' ? [] : ['**/*.long.test.ts'],
    // Much of a test's time is spent waiting for processes, so more files run at once than there are cores; the long
    // tests keep the cores busy.
    maxWorkers: availableParallelism() + (mode === 'all' ? 0 : 1),
    // A worker runs many files and imports the modules that they share once: what a test changes, it puts back.
    isolate: false,
    globalSetup: ['test/support/build.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
}));
