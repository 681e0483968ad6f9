import { optionInvalid } from '../errors.ts';
import type { Sandbox } from '../ports.ts';
import { createSandbox, processStarters, type SandboxStarters } from '../sandbox/create-sandbox.ts';
import { createDockerSandbox } from '../sandbox/docker/docker-sandbox.ts';
import type { Language } from '../task.ts';
import type { RunOptions } from './options.ts';

export type SandboxOptions = Pick<
  RunOptions,
  'sandbox' | 'timeout' | 'memory' | 'isolation' | 'requireIsolation'
>;

/**
 * The sandbox that the options ask for, started for one language.
 * Rejects with a HefixError if this machine has none such.
 */
export async function openSandbox(options: SandboxOptions, language: Language): Promise<Sandbox> {
  return await createSandbox(startersFor(options), language);
}

function startersFor(options: SandboxOptions): SandboxStarters {
  const { sandbox, timeout: timeoutSeconds, memory: memoryMiB, isolation, requireIsolation } = options;
  if (sandbox === 'docker') {
    if (isolation !== undefined)
      throw optionInvalid('--isolation', isolation, 'no --sandbox docker beside it');
    return { python: () => createDockerSandbox({ timeoutSeconds, memoryMiB }) };
  }
  const level = isolation === undefined ? {} : { isolation };
  return processStarters({ timeoutSeconds, memoryMiB, requireIsolation, ...level });
}
