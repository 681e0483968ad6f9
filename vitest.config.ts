import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** `vitest run` runs the tests that a contributor waits for; `vitest run --mode all` also runs `*.long.test.ts`. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: mode === 'all' ? [] : ['**/*.long.test.ts'],
    // Much of a test's time is spent waiting for processes, so two files run at once on two cores as well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ['test/support/build.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
}));
