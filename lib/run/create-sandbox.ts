import type { Sandbox } from '../ports.ts';
import { createProcessSandbox } from '../sandbox/process-sandbox.ts';
import type { RunOptions } from './options.ts';

export type SandboxOptions = Pick<RunOptions, 'timeout' | 'memory' | 'isolation' | 'requireIsolation'>;

/** The sandbox that the options ask for. Rejects if this machine has none such. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { timeout, memory, isolation, requireIsolation } = options;
  return await createProcessSandbox({
    timeoutSeconds: timeout,
    memoryMiB: memory,
    requireIsolation,
    ...(isolation === undefined ? {} : { isolation }),
  });
}
