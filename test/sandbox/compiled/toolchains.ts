import { afterAll, beforeAll, describe } from 'vitest';
import type { ExecuteRequest, Execution, Sandbox } from '../../../lib/core/ports.ts';
import { requireTool, toolRequirements } from '../../../lib/sandbox/compiled/find-toolchain.ts';
import { createSandbox, processStarters } from '../../../lib/sandbox/create-sandbox.ts';

export type CompiledLanguage = keyof typeof toolRequirements;

/** Whether the language's compiler is installed; prints once if it is not. */
export function hasToolchain(language: CompiledLanguage): boolean {
  try {
    requireTool(toolRequirements[language]);
    return true;
  } catch (error) {
    console.warn(`Skipped: ${(error as Error).message}`);
    return false;
  }
}

export type Judge = (
  request: Pick<ExecuteRequest, 'candidate' | 'tests' | 'entryPoint'> & Partial<ExecuteRequest>,
) => Promise<Execution>;

/** Tests with one sandbox of a language, opened as hefix does; skipped if the compiler is missing. */
export function describeCompiled(
  language: CompiledLanguage,
  title: string,
  define: (judge: Judge, sandbox: () => Sandbox) => void,
  timeoutSeconds = 20,
): void {
  describe.skipIf(!hasToolchain(language))(title, () => {
    let sandbox: Sandbox;
    // The first start builds the library's archives.
    beforeAll(async () => {
      sandbox = await createSandbox(processStarters({ timeoutSeconds }), language);
    }, 600_000);
    afterAll(() => sandbox?.close());
    define(
      request => sandbox.execute({ language, ...request }),
      () => sandbox,
    );
  });
}
