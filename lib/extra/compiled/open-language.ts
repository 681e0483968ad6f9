import type { Sandbox } from '../../core/ports.ts';
import { findOnPath } from '../../sandbox/isolation/programs.ts';
import type { SandboxOptions } from '../../sandbox/process/execution.ts';
import { createCompiledSandbox, type OpenToolchain } from './compiled-sandbox.ts';
import { toolRequirements } from './find-toolchain.ts';

export type CompiledLanguage = keyof typeof toolRequirements;

const toolchains: Readonly<Record<CompiledLanguage, () => Promise<OpenToolchain>>> = {
  cpp: async () => (await import('./cpp/toolchain.ts')).openCpp,
  go: async () => (await import('./go/toolchain.ts')).openGo,
  java: async () => (await import('./java/toolchain.ts')).openJava,
  rust: async () => (await import('./rust/toolchain.ts')).openRust,
};

/** The sandbox of one language. Rejects with the errors of createCompiledSandbox. */
export async function openLanguage(language: CompiledLanguage, options: SandboxOptions): Promise<Sandbox> {
  return await createCompiledSandbox(language, await toolchains[language](), options);
}

/** `Rust, since there is no rustc`; null if its compiler is there. */
export function missingTool(language: CompiledLanguage): string | null {
  const { program, language: name } = toolRequirements[language];
  return findOnPath(program) === undefined ? `${name}, since there is no ${program}` : null;
}
