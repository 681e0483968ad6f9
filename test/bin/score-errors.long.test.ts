import { describe, test } from 'vitest';
import { toolchain } from '../extra/compiled/toolchains.ts';
import { needs } from '../support/needs.ts';
import { expectProvokedErrorsToCount } from '../support/score-provoked.ts';

describe.each(['go', 'rust', 'cpp', 'java'] as const)('%s', lang => {
  test(
    'wrong candidates that provoke errors count as failed',
    { ...needs(toolchain(lang)), timeout: 600_000 },
    () => expectProvokedErrorsToCount(lang),
  );
});
