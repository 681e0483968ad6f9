import { defineConfig } from 'vitest/config';

/** `npm run test:chaos`: disasters of about ten minutes, apart from the gate. */
export default defineConfig({
  test: {
    include: ['test/chaos/*.chaos.ts'],
    globalSetup: ['test/support/build.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});
