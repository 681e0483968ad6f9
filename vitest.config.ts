import { defineConfig } from 'vitest/config';

/** `vitest run` runs the tests that a contributor waits for; `vitest run --mode all` also runs `*.long.test.ts`. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: mode === 'all' ? [] : ['**/*.long.test.ts'],
    globalSetup: ['test/support/build.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
}));
