import { defineConfig } from 'vitest/config';

/** Benchmarks print figures; they are not part of `npm test`, because they would fail on a busy system. */
export default defineConfig({
  test: {
    include: ['test/bench/*.bench.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});
