import { defineConfig } from 'vitest/config';

/** Benchmarks print figures; they are no part of `npm test`, because a busy machine would fail them. */
export default defineConfig({
  test: {
    include: ['test/bench/*.bench.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});
