import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SkippedTests } from './test/support/skipped-tests.ts';

/** Starts the long files first, so that no core waits for the last of them. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('.long.test.ts');
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))];
  }
}

/** `vitest run` runs the tests that a contributor waits for; `vitest run --mode all` also runs `*.long.test.ts`. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: mode === 'all' ? [] : ['**/*.long.test.ts'],
    // Much of a test's time is spent waiting for processes, so more files run at once than there are cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    // A worker runs many files and imports the modules that they share once: what a test changes, it puts back.
    isolate: false,
    reporters: ['default', new SkippedTests()],
    globalSetup: ['test/support/build.ts'],
    // So generous that no result depends on how busy the machine is: only what hangs is ended.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // A snapshot that is missing fails here too, not only where CI is set: --update writes it.
    update: 'none',
  },
}));
