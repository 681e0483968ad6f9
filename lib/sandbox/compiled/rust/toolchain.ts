import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { closeInOrder } from '../../../core/close-all.ts';
import { toolchainFailed } from '../../../core/errors.ts';
import { packageFile } from '../../../files/package-root.ts';
import { openParser } from '../../../syntax/parser.ts';
import { programFiles } from '../../isolation/interpreter.ts';
import { faultOf, hasFailed, throwTestsFault } from '../build-fault.ts';
import { createBuilder, type ToolFiles } from '../builder.ts';
import type { ToolchainHost } from '../compiled-sandbox.ts';
import { realPath, requireTool, requireVersion, toolRequirements } from '../find-toolchain.ts';
import { createKeptPrograms, nativeRuntime } from '../native-runtime.ts';
import type { ProgramFiles } from '../program-files.ts';
import type { Program, Toolchain } from '../toolchain.ts';
import { textsIn, toolchainCache } from '../toolchain-cache.ts';
import { explainRustEnd, firstComplaint } from './diagnostics.ts';
import { candidateHeader } from './signature.ts';
import { candidateFile, candidateSources, judgeSources, testsFile } from './sources.ts';

/**
 * rustc without Cargo, with stand-ins for the crates that the tasks name. Rejects with TOOLCHAIN_MISSING,
 * TOOLCHAIN_TOO_OLD or TOOLCHAIN_FAILED.
 */
export async function openRust({ isolation, python }: ToolchainHost): Promise<Toolchain> {
  const [tools, parser] = await Promise.all([findRust(), openParser('rust')]);
  const crates = await rustCrates(tools);
  const builder = createBuilder(isolation, python, await toolFiles(tools, crates));
  const kept = createKeptPrograms();
  const compile = (source: string, ...words: readonly string[]): string[] => [
    ...[
      tools.rustc,
      '--sysroot',
      tools.sysroot,
      '--edition',
      '2021',
      '--cap-lints',
      'allow',
      '--error-format',
      'short',
    ],
    ...['-C', 'debuginfo=0', '-C', 'overflow-checks=on', '-C', 'debug-assertions=on'],
    ...['-C', `linker=${tools.linker}`, '-L', crates],
    ...crateNames.flatMap(name => ['--extern', `${name}=${join(crates, `lib${name}.rlib`)}`]),
    ...[...words, source],
  ];
  const program = (source: string, name: string): string[] =>
    compile(source, '--crate-name', name, '-C', 'strip=symbols', '-C', 'codegen-units=1', '-o', 'program');
  const keep = async (files: ProgramFiles, contents: Buffer | undefined): Promise<Program> => {
    const { path, remove } = await files.add(contents ?? Buffer.alloc(0));
    return { argv: [path], readable: [], remove };
  };
  return {
    version: `Rust ${tools.version}`,
    files: nativeRuntime(kept),
    async buildJudge(task, signal) {
      const commands = [program(testsFile, 'judge')];
      const job = { files: judgeSources(parser, task), commands, outputs: ['program'] };
      const result = await builder.run(job, signal);
      if (hasFailed(result)) throwTestsFault(result, firstComplaint(result));
      return await keep(kept.judges, result.outputs[0]);
    },
    async buildCandidate(task, candidate, signal) {
      const commands = [program('main.rs', 'candidate')];
      const job = { files: candidateSources(parser, task, candidate), commands, outputs: ['program'] };
      const result = await builder.run(job, signal);
      if (hasFailed(result)) return faultOf(result, firstComplaint(result), candidateFile);
      return await keep(kept.candidates, result.outputs[0]);
    },
    async checkSyntax(candidate, _, signal) {
      const command = compile(
        candidateFile,
        '--crate-type',
        'lib',
        '--emit',
        'metadata',
        '-o',
        'candidate.rmeta',
      );
      const job = { files: { [candidateFile]: candidate }, commands: [command], outputs: [] };
      const result = await builder.run(job, signal);
      return hasFailed(result) ? faultOf(result, firstComplaint(result), candidateFile) : null;
    },
    headerOf: async (candidate, entryPoint) => candidateHeader(parser, candidate, entryPoint),
    explainEnd: explainRustEnd,
    close: () => closeInOrder(builder, kept),
  };
}

interface RustTools {
  readonly rustc: string;
  readonly sysroot: string;
  /** gcc, which knows the paths of the system's libraries. */
  readonly linker: string;
  readonly version: string;
}

/** Throws TOOLCHAIN_MISSING, TOOLCHAIN_TOO_OLD or TOOLCHAIN_FAILED. */
export async function findRust(): Promise<RustTools> {
  const found = requireTool(toolRequirements.rust);
  const linker = realPath(requireTool({ ...toolRequirements.rust, program: 'cc', packages: 'gcc' }));
  try {
    const ask = async (...words: string[]) => (await execa(found, words, { timeout: 30_000 })).stdout.trim();
    const version = /rustc (\S+)/.exec(await ask('--version'))?.[1] ?? '';
    const sysroot = await ask('--print', 'sysroot');
    requireVersion(found, version, toolRequirements.rust.minimum);
    // The rustc on the PATH may be rustup's proxy, which starts this one.
    const own = join(sysroot, 'bin', 'rustc');
    return { rustc: realPath(existsSync(own) ? own : found), sysroot: realPath(sysroot), linker, version };
  } catch (error) {
    if (error instanceof Error && 'hint' in error) throw error;
    throw toolchainFailed(found, 'rustc does not report its version', error);
  }
}

const crateNames = ['hefix', 'rand', 'md5', 'regex'];

/** The folder with the compiled runtime and the crates that replace others. */
async function rustCrates({ rustc, linker, version }: RustTools): Promise<string> {
  const runtime = packageFile('lib/sandbox/compiled/rust/runtime');
  return await toolchainCache('rust', [version, rustc, ...textsIn(runtime)], async folder => {
    const shared = [
      '--edition',
      '2021',
      '--crate-type',
      'rlib',
      '-C',
      'opt-level=2',
      '-C',
      'debuginfo=0',
      '--cap-lints',
      'allow',
    ];
    const compile = async (name: string) =>
      await execa(
        rustc,
        [
          ...shared,
          '-C',
          `linker=${linker}`,
          '--crate-name',
          name,
          '-o',
          join(folder, `lib${name}.rlib`),
          join(runtime, name, 'lib.rs'),
        ],
        { cwd: folder },
      );
    try {
      await Promise.all(crateNames.map(compile));
    } catch (error) {
      throw toolchainFailed(rustc, String(error).split('\n')[1] ?? String(error), error);
    }
  });
}

/** What rustc reads and executes: its own library, the linker and its parts, the system's libraries. */
async function toolFiles({ rustc, sysroot, linker }: RustTools, crates: string): Promise<ToolFiles> {
  const ask = async (question: string): Promise<string> => (await execa(linker, [question])).stdout.trim();
  const [collect, ld, start, plugin] = await Promise.all(
    [
      '-print-prog-name=collect2',
      '-print-prog-name=ld',
      '-print-file-name=crt1.o',
      '-print-file-name=liblto_plugin.so',
    ].map(ask),
  );
  const linkers = [collect, ld === 'ld' ? '/usr/bin/ld' : ld].filter(path => path !== undefined);
  const bundled = join(
    sysroot,
    'lib/rustlib',
    `${architectures[process.arch] ?? process.arch}-unknown-linux-gnu`,
    'bin',
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
    ownProgram: rustc,
    // The dynamic loader is also executed.
    executable: [
      ...programs,
      ...linkers,
      ...shared.filter(path => /\/ld[^/]*\.so/.test(path) && !path.endsWith('.cache')),
    ].filter(existsSync),
  };
}

const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'x86_64', arm64: 'aarch64' };
