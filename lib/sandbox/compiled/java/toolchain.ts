import { closeInOrder } from '../../../core/close-all.ts';
import { openParser } from '../../../syntax/parser.ts';
import { throwTestsFault } from '../build-fault.ts';
import type { ToolchainHost } from '../compiled-sandbox.ts';
import { createProgramFiles } from '../program-files.ts';
import type { BuildFault, CandidateEnd, Program, Toolchain } from '../toolchain.ts';
import { findJdk, type Jdk } from './jdk.ts';
import { javaRuntime } from './runtime.ts';
import { candidateHeader } from './signature.ts';
import { candidateFile, candidateSources, judgeSources, testsFile } from './sources.ts';
import { type Compilation, createWarmCompiler } from './warm-compiler.ts';

/** Memory of a virtual machine outside its heap: its own code, classes and thread stacks. */
const OVERHEAD_MIB = 160;
const MIN_HEAP_MIB = 16;

/** Limits of the compiler; those of time are per program, by the clock. */
const COMPILER_LIMITS = {
  memoryMiB: 2048,
  cpuSeconds: 3600,
  processes: 64,
  openFiles: 256,
  fileSizeMiB: 0,
  workFolderMiB: 16,
};

/**
 * Java with a compiler that stays in memory, in a jail of its own, and writes no files. It runs no code of what it
 * compiles: annotation processors are turned off. Rejects with TOOLCHAIN_MISSING, TOOLCHAIN_TOO_OLD or
 * TOOLCHAIN_FAILED.
 */
export async function openJava({ isolation, memoryMiB }: ToolchainHost): Promise<Toolchain> {
  const [jdk, parser] = await Promise.all([findJdk(), openParser('java')]);
  const runtime = await javaRuntime(jdk);
  const readable = [...jdk.files, ...runtime.folders];
  const compiler = createWarmCompiler(() => {
    const argv = [...runtime.start('compiler', heap(COMPILER_LIMITS.memoryMiB))];
    const jail = isolation.program(argv, readable, COMPILER_LIMITS);
    return { ...jail, env: { ...jail.env, ...jdk.environment } };
  });
  const kept = createProgramFiles();
  const keep = async (
    kind: 'candidate' | 'judge',
    classes: Buffer,
    words: readonly string[],
  ): Promise<Program> => {
    const { path, remove } = await kept.add(classes, 0o644);
    const argv = [...runtime.start(kind, heap(memoryMiB)), path, ...words];
    return { argv, readable: [...readable, path], environment: jdk.environment, remove };
  };
  return {
    version: nameOf(jdk),
    async buildJudge(task, signal) {
      const { files, words } = judgeSources(parser, task);
      const result = await compiler.compile(files, signal);
      if ('classes' in result) return await keep('judge', result.classes, words);
      const complaint = 'complaint' in result ? result.complaint : null;
      const failed = { failed: { command: 0, status: 1, text: '' } } as const;
      const isTests = complaint?.file === testsFile;
      throwTestsFault(
        'complaint' in result ? failed : result,
        isTests || !complaint ? complaint : { ...complaint, line: 1 },
      );
    },
    async buildCandidate(task, candidate, signal) {
      const result = await compiler.compile(candidateSources(parser, task, candidate), signal);
      return 'classes' in result ? await keep('candidate', result.classes, []) : faultOf(result);
    },
    async checkSyntax(candidate, _declaration, signal) {
      const result = await compiler.compile({ [candidateFile]: `${candidate}\n` }, signal);
      return 'classes' in result ? null : faultOf(result);
    },
    headerOf: async (candidate, entryPoint) => candidateHeader(parser, candidate, entryPoint),
    explainEnd: explainJavaEnd,
    close: () => closeInOrder(compiler, kept),
  };
}

function nameOf({ version }: Jdk): string {
  return `Java ${version}`;
}

function heap(memoryMiB: number): string {
  return `-Xmx${Math.max(MIN_HEAP_MIB, memoryMiB - OVERHEAD_MIB)}m`;
}

function faultOf(result: Exclude<Compilation, { readonly classes: Buffer }>): BuildFault {
  if ('timedOut' in result)
    return { kind: 'timeout', line: 1, message: 'The compiler did not finish within its processor time.' };
  const { file, line, message } = result.complaint;
  const isOwn = file === candidateFile || file === '';
  return isOwn ? { kind: 'syntax', line, message } : { kind: 'signature', line: 1, message };
}

/** What the virtual machine or the code that serves calls says before it ends. */
function explainJavaEnd(stderr: string): CandidateEnd | null {
  const isMemory = /^hefix: out of memory$|java\.lang\.OutOfMemoryError|insufficient memory for the Java/m;
  return isMemory.test(stderr) ? { kind: 'memory' } : null;
}
