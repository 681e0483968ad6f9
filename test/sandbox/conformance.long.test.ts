import { describe, test } from 'vitest';
import type { Sandbox } from '../../lib/core/ports.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';
import { levelNeeds, needs } from '../support/needs.ts';
import { describeConformance, describeHostAttacks, describeIsolation, type Limits } from './conformance.ts';

type Create = (limits: Partial<Limits>) => Promise<Sandbox>;

const kinds: Readonly<Record<string, Create>> = {
  'process at the bubblewrap level': limits => createPythonSandbox({ ...limits, isolation: 'bubblewrap' }),
  'process at the namespaces level': limits => createPythonSandbox({ ...limits, isolation: 'namespaces' }),
  'process at the ulimit level': limits => createPythonSandbox({ ...limits, isolation: 'ulimit' }),
  'process at the seatbelt level': limits => createPythonSandbox({ ...limits, isolation: 'seatbelt' }),
};

for (const [kind, create] of Object.entries(kinds)) {
  const missing = await findMissing(kind, create);
  if (missing !== null)
    describe(kind, needs({ what: missing, isThere: false }), () => test('conformance', () => {}));
  else if (kind.includes('namespaces')) {
    // Differs from bubblewrap only in how the jail is set up.
    describeHostAttacks(kind, create);
  } else if (kind.includes('ulimit')) {
    describeIsolation(kind, create);
  } else {
    describeConformance(kind, create);
  }
}

/** What a kind of sandbox needs and this machine lacks; null if it works. */
async function findMissing(kind: string, create: Create): Promise<string | null> {
  try {
    const sandbox = await create({});
    await sandbox.close();
    return null;
  } catch {
    return Object.entries(levelNeeds).find(([level]) => kind.includes(level))?.[1] ?? kind;
  }
}
