import { describe, test } from 'vitest';
import type { Sandbox } from '../../lib/core/ports.ts';
import { createDockerSandbox } from '../../lib/sandbox/docker/docker-sandbox.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';
import { dockerEnvironment } from '../support/docker.ts';
import { describeConformance, describeHostAttacks, describeIsolation, type Limits } from './conformance.ts';

type Create = (limits: Partial<Limits>) => Promise<Sandbox>;

const kinds: Readonly<Record<string, Create>> = {
  'process at the bubblewrap level': limits => createPythonSandbox({ ...limits, isolation: 'bubblewrap' }),
  'process at the namespaces level': limits => createPythonSandbox({ ...limits, isolation: 'namespaces' }),
  'process at the ulimit level': limits => createPythonSandbox({ ...limits, isolation: 'ulimit' }),
  'process at the seatbelt level': limits => createPythonSandbox({ ...limits, isolation: 'seatbelt' }),
  docker: createInDocker,
};

for (const [kind, create] of Object.entries(kinds)) {
  const reason = await whyNot(create);
  if (reason !== null) {
    console.warn(`skipped: ${kind}: ${reason}`);
    describe.skip(kind, () => {
      test(reason, () => {});
    });
  } else if (kind.includes('namespaces')) {
    // Differs from bubblewrap only in how the jail is set up.
    describeHostAttacks(kind, create);
  } else if (kind.includes('ulimit')) {
    describeIsolation(kind, create);
  } else {
    // The time that a container waits for a processor is not known, so it is not excluded.
    describeConformance(kind, create, kind === 'docker' ? 6 : 2);
  }
}

async function createInDocker(limits: Partial<Limits>): Promise<Sandbox> {
  const environment = dockerEnvironment();
  if (typeof environment === 'string') throw new Error(environment);
  Object.assign(process.env, environment);
  return createDockerSandbox(limits);
}

/** Why a kind of sandbox is not available here; null if it is. */
async function whyNot(create: Create): Promise<string | null> {
  try {
    const sandbox = await create({});
    await sandbox.close();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
