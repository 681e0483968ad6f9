import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { closeInOrder } from '../../../core/async.ts';
import { realPath } from '../../../files/paths.ts';
import { findProgram, programFiles } from '../../../sandbox/isolation/programs.ts';
import { openParser } from '../../../syntax/parser.ts';
import { createBuilder, type FailedBuild, type ToolFiles } from '../builder.ts';
import type { ToolchainHost } from '../compiled-sandbox.ts';
import { linkerWords } from '../find-toolchain.ts';
import { createKeptPrograms, nativeRuntime } from '../native-runtime.ts';
import { type CandidateEnd, type Complaint, faultOf, type Toolchain, throwTestsFault } from '../toolchain.ts';
import { crateNames, findRust, type RustTools, rustCrates, sharedLibrary } from './rustc.ts';
import { candidateHeader } from './signature.ts';
import { candidateFile, candidateSources, judgeSources, testsFile } from './sources.ts';

/**
 * rustc without Cargo, with stand-ins for the crates that the tasks name. Rejects with TOOLCHAIN_MISSING,
 * TOOLCHAIN_TOO_OLD or TOOLCHAIN_FAILED.
 */
export async function openRust({ isolation, python }: ToolchainHost): Promise<Toolchain> {
  const [tools, parser] = await Promise.all([findRust(), openParser('rust')]);
  const crates = await rustCrates(tools);
  const link = await rustLink(tools, crates);
  const programs = createKeptPrograms();
  const builder = createBuilder(isolation, python, await toolFiles(tools, crates));
  const runtime = nativeRuntime(programs);
  const compile = (source: string, ...args: readonly string[]): string[] => [
    ...[tools.rustc, '--sysroot', tools.sysroot, '--edition', '2021'],
    ...['--cap-lints', 'allow', '--error-format', 'short'],
    ...['-C', 'debuginfo=0', '-C', 'overflow-checks=on', '-C', 'debug-assertions=on'],
    ...['-C', `linker=${tools.linker}`, '-L', crates],
    ...crateNames.flatMap(name => ['--extern', `${name}=${join(crates, `lib${name}.rlib`)}`]),
    ...[...args, source],
  ];
  const program = (source: string, name: string): (readonly string[])[] => {
    const args = ['--crate-name', name, '-C', 'codegen-units=1'];
    if (link === null) return [compile(source, ...args, '-C', 'strip=symbols', '-o', 'program')];
    const object = ['-C', 'prefer-dynamic', '--emit', 'obj', '-o', 'program.o'];
    return [compile(source, ...args, ...object), link.command];
  };
  return {
    version: `Rust ${tools.version}`,
    files: { ...runtime, readable: [...runtime.readable, ...(link ? [link.library] : [])] },
    async buildJudge(task, signal) {
      const commands = program(testsFile, 'judge');
      const job = { files: judgeSources(parser, task), commands, outputs: ['program'] };
      const result = await builder.run(job, signal);
      if ('status' in result) throwTestsFault(result, firstComplaint(result), undefinedName);
      return await programs.judges.add(result.outputs[0] as Buffer);
    },
    counting: judge => ({ ...judge, argv: [...judge.argv, 'counts'] }),
    async buildCandidate(task, candidate, signal) {
      const commands = program('main.rs', 'candidate');
      const job = { files: candidateSources(parser, task, candidate), commands, outputs: ['program'] };
      const result = await builder.run(job, signal);
      if ('status' in result) return faultOf(result, firstComplaint(result), candidateFile);
      return await programs.candidates.add(result.outputs[0] as Buffer);
    },
    async checkSyntax(candidate, _, signal) {
      const args = ['--crate-type', 'lib', '--emit', 'metadata', '-o', 'candidate.rmeta'];
      const command = compile(candidateFile, ...args);
      const job = { files: { [candidateFile]: candidate }, commands: [command], outputs: [] };
      const result = await builder.run(job, signal);
      return 'status' in result ? faultOf(result, firstComplaint(result), candidateFile) : null;
    },
    headerOf: async (candidate, entryPoint) => candidateHeader(parser, candidate, entryPoint),
    explainEnd: explainRustEnd,
    close: () => closeInOrder(builder, programs),
  };
}

/** What rustc reads and executes: its own library, the linker and its parts, the system's libraries. */
async function toolFiles({ rustc, sysroot, bundled, linker }: RustTools, crates: string): Promise<ToolFiles> {
  const ask = async (question: string): Promise<string> =>
    (await execa(linker, [question], { cwd: '/' })).stdout.trim();
  const [collect, ld, start, plugin] = await Promise.all(
    [
      '-print-prog-name=collect2',
      '-print-prog-name=ld',
      '-print-file-name=crt1.o',
      '-print-file-name=liblto_plugin.so',
    ].map(ask),
  );
  const linkers = [collect, ld === 'ld' ? '/usr/bin/ld' : ld, linkerProgram()].filter(
    path => path !== undefined,
  );
  const programs = [rustc, linker, ...linkers.map(realPath), bundled].filter(existsSync);
  const libraries = [
    join(sysroot, 'lib'),
    dirname(realPath(start ?? '')),
    dirname(realPath(plugin ?? '')),
    dirname(realPath(collect ?? '')),
  ];
  const [, ...shared] = programFiles(linker);
  return {
    readable: [...libraries, ...shared, crates].filter(existsSync),
    // Without /proc, programs cannot find their own path and search for their libraries.
    environment: { LD_LIBRARY_PATH: join(sysroot, 'lib') },
    // rustc 1.63 asks for its own path, even if the sysroot is given.
    selfProgram: rustc,
    // The dynamic loader is also executed.
    executable: [
      ...programs,
      ...linkers,
      ...shared.filter(path => /\/ld[^/]*\.so/.test(path) && !path.endsWith('.cache')),
    ].filter(existsSync),
  };
}

/** The first error in the candidate, or else in a generated file: `candidate.rs:3:5: error[E0425]: …`. */
function firstComplaint({ text }: FailedBuild): Complaint | null {
  const complaints = [...text.matchAll(/^(?:.*\/)?(\w+\.rs):(\d+):\d+: error(?:\[\w+\])?: (.*)$/gm)].map(
    ([, file = '', line = '', message = '']) => ({ file, line: Number(line), message }),
  );
  // The linker knows no lines.
  const [missing] = /undefined reference to .*/.exec(text) ?? [];
  if (missing !== undefined) complaints.push({ file: candidateFile, line: 1, message: missing });
  return complaints.find(({ file }) => file === candidateFile) ?? complaints[0] ?? null;
}

const undefinedName =
  /^(?:.*\/)?tests\.rs:\d+:\d+: error(?:\[\w+\])?: (?:cannot find .* in this scope|failed to resolve|unresolved import)/m;

/** What the runtime writes before it aborts. */
function explainRustEnd(stderr: string): CandidateEnd | null {
  if (/has overflowed its stack/.test(stderr))
    return { kind: 'raised', exception: { type: 'abort', message: 'stack overflow' } };
  if (/memory allocation of \d+ bytes failed/.test(stderr)) return { kind: 'memory' };
  return null;
}

/** How `program.o` becomes `program`, with the standard library as a shared one. */
interface RustLink {
  readonly command: readonly string[];
  /** The shared library, which the program loads. */
  readonly library: string;
}

/**
 * The linker's own command, without rustc and gcc, which would take as long to link as to compile. Null where Rust
 * comes without a shared library.
 * @throws TOOLCHAIN_FAILED
 */
async function rustLink(tools: RustTools, crates: string): Promise<RustLink | null> {
  const library = sharedLibrary(tools);
  if (library === null) return null;
  const ask = async (name: string): Promise<string> =>
    dirname(realPath((await execa(tools.linker, [`-print-file-name=${name}`], { cwd: '/' })).stdout.trim()));
  const folders = await Promise.all(['crtbegin.o', 'crt1.o', 'libc.so.6'].map(ask));
  const objects = [
    'program.o',
    ...crateNames.map(name => join(crates, `lib${name}.rlib`)),
    library,
    ...systemLibraries,
    ...['-s', `-Wl,-rpath,${dirname(library)}`],
  ];
  const linkerArguments = await linkerWords(tools.linker, folders, objects, 'program');
  return { command: [linkerProgram(), ...linkerArguments], library };
}

/** What rustc links programs with. */
const systemLibraries = ['-lutil', '-lrt', '-lpthread', '-lm', '-ldl'];

/** gold is the faster one. */
function linkerProgram(): string {
  return realPath(findProgram('ld.gold') ?? findProgram('ld') ?? '/usr/bin/ld');
}
