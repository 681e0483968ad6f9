import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { closeInOrder } from '../../../core/async.ts';
import { testsInvalid } from '../../../sandbox/errors.ts';
import type { Isolation, Limits } from '../../../sandbox/isolation/isolation.ts';
import { programFiles } from '../../../sandbox/isolation/programs.ts';
import { outputGrace } from '../../../sandbox/process/execution.ts';
import { captureOutput, startProcess } from '../../../sandbox/process/started-process.ts';
import { openBraces } from '../../../syntax/source-text.ts';
import { createBuilder, type FailedBuild } from '../builder.ts';
import type { ToolchainHost } from '../compiled-sandbox.ts';
import { createKeptPrograms, nativeRuntime } from '../native-runtime.ts';
import {
  type BuildFault,
  type CandidateEnd,
  type Complaint,
  faultOf,
  type JudgedTask,
  type Toolchain,
  throwTestsFault,
} from '../toolchain.ts';
import { candidateFlags, compilerCommand, cppParts, findGcc, judgeFlags, linkerCommand } from './gcc.ts';
import { type CppSignature, cppSignature, plainDeclaration } from './signature.ts';
import { candidateSource, judgeSource, sourceNames } from './sources.ts';

/**
 * GCC without its driver: the compiler, assembler and linker are started directly. A candidate is a shared
 * library, which links in a tenth of the time of a program. Rejects with TOOLCHAIN_MISSING, TOOLCHAIN_TOO_OLD
 * or TOOLCHAIN_FAILED.
 */
export async function openCpp({ isolation, python }: ToolchainHost): Promise<Toolchain> {
  const gcc = await findGcc();
  const parts = await cppParts(gcc);
  const includes = (folders: readonly string[]): string[] => folders.flatMap(folder => ['-I', folder]);
  const candidateWords = [
    ...candidateFlags,
    '-include',
    parts.candidateHeader,
    ...includes(parts.candidateIncludes),
  ];
  const judgeWords = [...judgeFlags, '-include', parts.judgeHeader, ...includes(parts.judgeIncludes)];
  const [compileCandidate, compileJudge, linkJudge] = await Promise.all([
    compilerCommand(gcc, candidateWords, 'candidate'),
    compilerCommand(gcc, judgeWords, 'judge'),
    linkerCommand(gcc, ['judge.o', ...parts.judgeObjects], 'judge'),
  ]);
  const [begin = '', end = ''] = ['crtbeginS.o', 'crtendS.o'].map(name => join(dirname(gcc.compiler), name));
  const programs = [gcc.driver, gcc.compiler, gcc.assembler, gcc.linker, ...(gcc.gold ? [gcc.gold] : [])];
  // A program is started by the loader that it names.
  const files = [...new Set(programs.flatMap(programFiles))];
  const kept = createKeptPrograms();
  const builder = createBuilder(isolation, python, {
    readable: [...gcc.folders, ...files, parts.folder, parts.runtime],
    executable: files.filter(file => !statSync(file).isDirectory()),
  });
  return {
    version: `GCC ${gcc.version}`,
    files: nativeRuntime(kept, [parts.host]),
    async buildJudge({ declaration, tests }, signal) {
      const signature = declaredSignature(declaration);
      const commands = [compileJudge, [gcc.assembler, 'judge.s', '-o', 'judge.o'], linkJudge];
      const job = {
        files: { 'judge.cpp': judgeSource(declaration, signature, tests) },
        commands,
        outputs: ['judge'],
      };
      const result = await builder.run(job, signal);
      if ('status' in result) throwTestsFault(result, firstError(result, sourceNames.tests), undefinedName);
      return await kept.judges.add(result.outputs[0] as Buffer);
    },
    async buildCandidate({ declaration }, candidate, signal) {
      const signature = declaredSignature(declaration);
      const job = {
        files: { 'candidate.cpp': candidateSource(candidate, signature) },
        commands: [
          compileCandidate,
          [gcc.assembler, 'candidate.s', '-o', 'candidate.o'],
          [gcc.linker, '-shared', '--eh-frame-hdr', '-o', 'candidate.so', begin, 'candidate.o', end],
        ],
        outputs: ['candidate.so'],
      };
      const result = await builder.run(job, signal);
      if ('status' in result) return candidateFault(result, candidate);
      return await kept.candidates.add(result.outputs[0] as Buffer, path => [parts.host, path]);
    },
    async checkSyntax(candidate, _declaration, signal) {
      const command = [...compileCandidate, '-fsyntax-only'];
      const source = `#line 1 "${sourceNames.candidate}"\n${candidate}\n`;
      const result = await builder.run(
        { files: { 'candidate.cpp': source }, commands: [command], outputs: [] },
        signal,
      );
      return 'status' in result ? candidateFault(result, candidate) : null;
    },
    counting: judge => ({ ...judge, argv: [...judge.argv, 'counts'] }),
    async headerOf(candidate, entryPoint) {
      const signature = cppSignature(candidate, entryPoint);
      const declaration = signature && plainDeclaration(signature, candidate);
      if (declaration !== null) return declaration;
      const message = signature
        ? `The types of ${entryPoint} are not plain ones of the standard library.`
        : `There is no function ${entryPoint}.`;
      return { kind: 'signature', line: 1, message };
    },
    lineOf: ({ readable: [library = ''] }, addresses, signal) =>
      candidateLine(isolation, gcc.lineFinder, library, addresses.split(' '), signal),
    explainEnd: stderr => explainCppEnd(stderr),
    close: () => closeInOrder(builder, kept),
  };
}

/** @throws TESTS_INVALID */
function declaredSignature(declaration: JudgedTask['declaration']): CppSignature {
  const signature = cppSignature(declaration);
  if (signature === null) throw testsInvalid('need a declaration that ends with the header of a function');
  return signature;
}

/** After a missing brace, the compiler reports an error in the code that serves calls. */
function candidateFault(result: FailedBuild, candidate: string): BuildFault {
  const fault = faultOf(result, firstError(result, sourceNames.candidate), sourceNames.candidate);
  if (fault.kind !== 'signature' || openBraces(candidate) <= 0) return fault;
  return {
    kind: 'syntax',
    line: candidate.trimEnd().split('\n').length,
    message: "expected '}' at end of input",
  };
}

/**
 * The compiler's first error: `candidate.cpp:3:2: error: 'x' was not declared in this scope`. An error in a
 * library header is reported at the line of `file` that led there, if the compiler names it.
 */
function firstError({ text }: FailedBuild, file: string): Complaint | null {
  const match = /^([^\s:]+):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$/m.exec(text);
  if (!match) return null;
  const [, where = '', line = '', message = ''] = match;
  if (!where.includes('/')) return { file: where, line: Number(line), message: inOwnWords(message) };
  const from = new RegExp(`\\b${file.replace('.', '\\.')}:(\\d+)`).exec(text)?.[1];
  return { file: from === undefined ? where : file, line: Number(from ?? 1), message };
}

/** Not `begin` and `end`, which GCC misses where a loop goes over a value of another type. */
const undefinedName =
  /^tests\.cpp:\d+:\d+: error: '(?!(?:begin|end)')[^']*' (?:was not declared in this scope(?!,)|has not been declared)/m;

/** Hides names of generated code: `hefix::Bare<int>` is shown as `int`, `hefix_0` as the first argument. */
function inOwnWords(message: string): string {
  return message
    .replaceAll(/'hefix::Bare<([^']*)>'(?: \{aka '[^']*'\})?/g, "'$1'")
    .replaceAll(/'hefix_(\d+)'/g, (_, index: string) => `argument ${Number(index) + 1}`);
}

/** What the program that runs candidates writes before it exits. */
function explainCppEnd(stderr: string): CandidateEnd | null {
  const [, symbol] = /^hefix: .*undefined symbol: (\S+)/m.exec(stderr) ?? [];
  if (symbol !== undefined) {
    const message = `undefined reference to ${plainName(symbol)}`;
    return { kind: 'syntax', exception: { type: 'CompileError', message } };
  }
  return /^hefix: out of memory$/m.test(stderr) ? { kind: 'memory' } : null;
}

/** `_Z6helperi` is `helper`. */
function plainName(symbol: string): string {
  const [, size, rest = ''] = /^_ZN?(\d+)(?!\d)(.*)$/.exec(symbol) ?? [];
  return size === undefined ? symbol : rest.slice(0, Number(size));
}

const LIMITS: Limits = {
  memoryMiB: 512,
  cpuSeconds: 5,
  processes: 4,
  openFiles: 64,
  fileSizeMiB: 1,
  workFolderMiB: 1,
};
const WALL_MILLISECONDS = 10_000;

/**
 * The candidate's source line at the first of the addresses, innermost first, that is in its source; others
 * are in templates of the library. Runs in a jail, because the candidate can influence its library's line
 * tables.
 */
async function candidateLine(
  isolation: Isolation,
  lineFinder: string,
  library: string,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const jail = isolation.program([lineFinder, '-e', library, ...addresses], [library], LIMITS);
  const finder = startProcess(jail, ['ignore', 'pipe', 'ignore'], {});
  try {
    const output = captureOutput(finder.child.stdout as Readable);
    const late = pause(WALL_MILLISECONDS, undefined, { signal, ref: false });
    await Promise.race([finder.exited, late]);
    await output.ended(outputGrace);
    const line = new RegExp(`(?:^|/)${sourceNames.candidate}:(\\d+)`, 'm').exec(output.text())?.[1];
    return line === undefined ? undefined : Number(line);
  } finally {
    await finder.destroy();
  }
}
