import type { Sandbox } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import type { OpenToolchain } from './compiled/compiled-sandbox.ts';
import { languageNotInSandbox, sandboxClosed } from './errors.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { withReference } from './with-reference.ts';

/** How to start the sandbox of each language that can be judged. */
export type SandboxStarters = Readonly<Partial<Record<Language, () => Promise<Sandbox>>>>;

/** Processes of this system, isolated as far as it allows. The code of a language is loaded when it starts. */
export function processStarters(options: SandboxOptions): SandboxStarters {
  const compiled = async (language: Language, open: () => Promise<OpenToolchain>): Promise<Sandbox> => {
    const { createCompiledSandbox } = await import('./compiled/compiled-sandbox.ts');
    return await createCompiledSandbox(language, await open(), options);
  };
  return {
    async python() {
      const { createPythonSandbox } = await import('./python/host/python-sandbox.ts');
      return await createPythonSandbox(options);
    },
    async js() {
      const { createJavaScriptSandbox } = await import('./javascript/host/javascript-sandbox.ts');
      return await createJavaScriptSandbox(options);
    },
    cpp: () => compiled('cpp', async () => (await import('./compiled/cpp/toolchain.ts')).openCpp),
    go: () => compiled('go', async () => (await import('./compiled/go/toolchain.ts')).openGo),
    java: () => compiled('java', async () => (await import('./compiled/java/toolchain.ts')).openJava),
    rust: () => compiled('rust', async () => (await import('./compiled/rust/toolchain.ts')).openRust),
  };
}

/**
 * One sandbox for all languages: that of `language` is started now, and says how well it isolates, the others when
 * they are first asked for. Rejects with the HefixErrors of the language's sandbox, or LANGUAGE_UNSUPPORTED.
 */
export async function createSandbox(starters: SandboxStarters, language: Language): Promise<Sandbox> {
  const started = new Map<Language, Promise<Sandbox>>();
  let closed = false;

  const sandboxFor = (wanted: Language): Promise<Sandbox> => {
    const known = started.get(wanted);
    if (known) return known;
    const start = starters[wanted];
    if (!start) throw languageNotInSandbox(wanted, 'chosen');
    if (closed) throw sandboxClosed();
    const starting = start();
    started.set(wanted, starting);
    // A failed start may be put right and tried again.
    starting.catch(() => started.delete(wanted));
    return starting;
  };

  const { isolation, warning = null, runtime } = await sandboxFor(language);
  const execute: Sandbox['execute'] = async (request, signal) =>
    (await sandboxFor(request.language)).execute(request, signal);
  return {
    isolation,
    warning,
    runtime,
    checkSyntax: async (wanted, ...given) => (await sandboxFor(wanted)).checkSyntax(wanted, ...given),
    execute: withReference(execute, { isolation }),
    async close() {
      closed = true;
      const sandboxes = await Promise.allSettled(started.values());
      await Promise.all(sandboxes.map(async found => found.status === 'fulfilled' && found.value.close()));
    },
  };
}
