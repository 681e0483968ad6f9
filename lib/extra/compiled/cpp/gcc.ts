import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageFile } from '../../../files/package.ts';
import { realPath } from '../../../files/paths.ts';
import { findProgram } from '../../../sandbox/isolation/programs.ts';
import { toolchainFailed } from '../errors.ts';
import {
  driverCommand,
  linkerWords,
  requireTool,
  requireVersion,
  runTool,
  textsIn,
  toolchainCache,
  toolRequirements,
} from '../find-toolchain.ts';

/** The parts of a GCC installation. */
export interface Gcc {
  readonly driver: string;
  readonly version: string;
  /** The programs that the driver starts, symbolic links resolved. */
  readonly compiler: string;
  readonly assembler: string;
  readonly linker: string;
  /** The faster linker for whole programs, if installed. */
  readonly gold: string | null;
  /** Finds the line of an address (addr2line). */
  readonly lineFinder: string;
  /** Folders with headers, libraries and the compiler's own files. */
  readonly folders: readonly string[];
}

/** @throws TOOLCHAIN_MISSING, TOOLCHAIN_TOO_OLD or TOOLCHAIN_FAILED */
export async function findGcc(): Promise<Gcc> {
  const driver = requireTool(toolRequirements.cpp);
  const [version, compiler, assembler, linker, library, ...include] = (await Promise.all([
    ask(driver, ['-dumpfullversion', '-dumpversion']),
    ...['cc1plus', 'as', 'ld'].map(name => ask(driver, [`-print-prog-name=${name}`])),
    ask(driver, ['-print-file-name=libc.so.6']),
    ...['stddef.h', '../../../../include/c++'].map(name => ask(driver, [`-print-file-name=include/${name}`])),
  ])) as [string, string, string, string, string, ...string[]];
  requireVersion(driver, version, toolRequirements.cpp.minimum);
  const program = (name: string): string => realPath(findProgram(name) ?? name);
  if (!existsSync(compiler)) throw toolchainFailed(driver, 'it has no compiler for C++ (cc1plus)');
  const gold = findProgram('ld.gold');
  const folders = [
    dirname(compiler),
    dirname(realPath(library)),
    '/usr/include',
    ...include.map(path => dirname(path)),
  ];
  return {
    driver,
    version,
    compiler: realPath(compiler),
    assembler: program(assembler),
    linker: program(linker),
    gold: gold === undefined ? null : realPath(gold),
    lineFinder: program('addr2line'),
    folders: [...new Set(folders.map(realPath))].filter(existsSync),
  };
}

/**
 * Files compiled once per GCC: precompiled headers, the judge's runtime, the program that runs candidates.
 */
export interface CppParts {
  readonly folder: string;
  /** Its sources, including all headers of hefix. */
  readonly runtime: string;
  /** Header folders in search order. */
  readonly judgeIncludes: readonly string[];
  readonly candidateIncludes: readonly string[];
  readonly judgeHeader: string;
  readonly candidateHeader: string;
  readonly judgeObjects: readonly string[];
  /** Takes the path of the candidate's library as its only argument. */
  readonly host: string;
}

/** The usual flags, plus line tables for exceptions; warnings are turned off. */
export const commonFlags = ['-std=gnu++17', '-O0', '-g1', '-w', '-fdiagnostics-color=never'];
/** Out-of-range access to a candidate's result ends the tests instead of reading arbitrary memory. */
export const judgeFlags = [...commonFlags, '-D_GLIBCXX_ASSERTIONS'];
export const candidateFlags = [...commonFlags, '-fPIC'];

/** @throws TOOLCHAIN_FAILED */
export async function cppParts(gcc: Gcc): Promise<CppParts> {
  const runtime = packageFile('lib/extra/compiled/cpp/runtime');
  const flags = [...judgeFlags, ...candidateFlags];
  const parts = [gcc.driver, gcc.version, ...flags, runtime, ...textsIn(runtime)];
  const folder = await toolchainCache('cpp', parts, temporary => buildParts(gcc.driver, runtime, temporary));
  const includes = [join(runtime, 'include')];
  return {
    folder,
    runtime,
    judgeIncludes: [join(runtime, 'judge-include'), ...includes],
    candidateIncludes: includes,
    judgeHeader: join(folder, 'judge/for-judges.hpp'),
    candidateHeader: join(folder, 'candidate/for-candidates.hpp'),
    judgeObjects: ['judge', 'assertion', 'common', 'md5'].map(name => join(folder, `${name}.o`)),
    host: join(folder, 'host'),
  };
}

async function buildParts(driver: string, runtime: string, folder: string): Promise<void> {
  const source = (name: string): string => join(runtime, name);
  const compile = (name: string) => {
    const files = [source(`${name}.cpp`), '-o', join(folder, `${name}.o`)];
    return run(driver, ['-std=gnu++17', '-O1', '-w', '-c', ...files]);
  };
  const precompile = async (kind: 'judge' | 'candidate', flags: readonly string[]) => {
    const header = `for-${kind}s.hpp`;
    await mkdir(join(folder, kind));
    const includes = [...(kind === 'judge' ? ['judge-include'] : []), 'include'].flatMap(name => [
      '-I',
      source(name),
    ]);
    const output = join(folder, kind, `${header}.gch`);
    await run(driver, [...flags, ...includes, '-x', 'c++-header', source(`hefix/${header}`), '-o', output]);
  };
  await Promise.all([
    ...['judge', 'assertion', 'common', 'md5', 'candidate'].map(compile),
    precompile('judge', judgeFlags),
    precompile('candidate', candidateFlags),
  ]);
  const objects = ['candidate', 'common', 'md5'].map(name => join(folder, `${name}.o`));
  // Candidates' libraries use the runtime of the program that loads them.
  await run(driver, ['-rdynamic', ...objects, '-ldl', '-o', join(folder, 'host')]);
}

async function run(driver: string, args: readonly string[]): Promise<void> {
  const why = (text: string) => text.split('\n').find(line => line.includes('error'));
  await runTool(driver, args, { timeout: 300_000, why });
}

async function ask(driver: string, args: readonly string[]): Promise<string> {
  return await runTool(driver, args, { why: () => `${args[0]} does not answer` });
}

/** The command with which the driver starts the compiler, with `name.cpp` as input and `name.s` as output. */
export async function compilerCommand(gcc: Gcc, flags: readonly string[], name: string): Promise<string[]> {
  const args = await driverCommand(gcc.driver, [...flags, '-S', `${name}.cpp`, '-o', `${name}.s`], 'cc1plus');
  return [gcc.compiler, ...args];
}

/** The command that links objects into a program at a fixed address. */
export async function linkerCommand(gcc: Gcc, objects: readonly string[], output: string): Promise<string[]> {
  return [gcc.gold ?? gcc.linker, ...(await linkerWords(gcc.driver, gcc.folders, objects, output))];
}
