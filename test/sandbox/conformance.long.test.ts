import { describe, test } from 'vitest';
import type { Sandbox } from '../../lib/core/ports.ts';
import { isolationLevels } from '../../lib/core/verdict.ts';
import { createDockerSandbox } from '../../lib/sandbox/docker/docker-sandbox.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';
import { findDocker } from '../support/docker.ts';
import { levelNeeds, needs } from '../support/needs.ts';
import {
  describeConformance,
  describeContainer,
  describeHostAttacks,
  describeIsolation,
  type Limits,
} from './conformance.ts';

const engine = findDocker();

type Create = (limits: Partial<Limits>) => Promise<Sandbox>;

const kinds: Readonly<Record<string, Create>> = {
  'process at the bubblewrap level': limits => createPythonSandbox({ ...limits, isolation: 'bubblewrap' }),
  'process at the namespaces level': limits => createPythonSandbox({ ...limits, isolation: 'namespaces' }),
  'process at the ulimit level': limits => createPythonSandbox({ ...limits, isolation: 'ulimit' }),
  'process at the seatbelt level': limits => createPythonSandbox({ ...limits, isolation: 'seatbelt' }),
  docker: createInDocker,
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
  } else if (kind === 'docker') {
    describeContainer(kind, create);
  } else {
    describeConformance(kind, create);
  }
}

async function createInDocker(limits: Partial<Limits>): Promise<Sandbox> {
  Object.assign(process.env, engine.variables);
  return createDockerSandbox(limits);
}

/** What a kind of sandbox needs and this machine lacks; null if it works. */
async function findMissing(kind: string, create: Create): Promise<string | null> {
  try {
    const sandbox = await create({});
    await sandbox.close();
    return null;
  } catch {
    const level = isolationLevels.find(name => kind.includes(name)) ?? 'docker';
    return level === 'docker' ? engine.what : levelNeeds[level];
  }
}
