import { describe, test } from 'vitest';
import type { ProcessIsolationLevel } from '../../lib/sandbox/isolation/isolation.ts';
import { createProcessSandbox } from '../../lib/sandbox/process-sandbox.ts';
import { describeConformance } from './conformance.ts';

const levels: readonly ProcessIsolationLevel[] = ['bubblewrap', 'namespaces', 'ulimit'];

for (const isolation of levels) {
  const reason = await whyNot(isolation);
  if (reason === null) {
    describeConformance(`process at the ${isolation} level`, limits =>
      createProcessSandbox({ ...limits, isolation }),
    );
  } else {
    console.warn(`skipped: process at the ${isolation} level: ${reason}`);
    describe.skip(`process at the ${isolation} level`, () => {
      test(reason, () => {});
    });
  }
}

/** Why this machine does not offer a level; null if it does. */
async function whyNot(isolation: ProcessIsolationLevel): Promise<string | null> {
  try {
    const sandbox = await createProcessSandbox({ isolation, poolSize: 0 });
    await sandbox.close();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
