import { afterAll, beforeAll, describe } from 'vitest';
import type { ExecuteRequest, Execution, Sandbox } from '../../../lib/core/ports.ts';
import { requireTool, toolRequirements } from '../../../lib/extra/compiled/find-toolchain.ts';
import { createSandbox, processStarters } from '../../../lib/sandbox/create-sandbox.ts';
import { type Need, needs } from '../../support/needs.ts';

export type CompiledLanguage = keyof typeof toolRequirements;

/** The language's compiler. */
export function toolchain(language: CompiledLanguage): Need {
  const what = `the compiler of ${language} (hefix doctor says how to get it)`;
  try {
    requireTool(toolRequirements[language]);
    return { what, isThere: true };
  } catch {
    return { what, isThere: false };
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
  describe(title, needs(toolchain(language)), () => {
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
