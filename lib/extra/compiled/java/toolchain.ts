import { readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closeInOrder } from '../../../core/async.ts';
import { literalPattern } from '../../../core/text.ts';
import { packageFile } from '../../../files/package.ts';
import { openParser } from '../../../syntax/parser.ts';
import { type FailedBuild, lateBuild } from '../builder.ts';
import type { ToolchainHost } from '../compiled-sandbox.ts';
import { NO_PERFORMANCE_DATA, runTool, textsIn, toolchainCache } from '../find-toolchain.ts';
import { createKeptPrograms, nativeRuntime } from '../native-runtime.ts';
import {
  type BuildFault,
  type CandidateEnd,
  faultOf,
  type Toolchain,
  throwTestsFault,
} from '../toolchain.ts';
import { archiveRuntime, type JavaProgram } from './archives.ts';
import { findJdk, type Jdk, javaLocale } from './jdk.ts';
import { candidateHeader } from './signature.ts';
import { candidateFile, candidateSources, judgeSources, testsFile } from './sources.ts';
import { type Compilation, createWarmCompiler } from './warm-compiler.ts';
import { DESCRIPTORS, startWarmJudges } from './warm-judges.ts';

/** Memory of a virtual machine outside its heap: its own code, classes and thread stacks. */
const OVERHEAD_MIB = 160;
const MIN_HEAP_MIB = 16;

/** Limits of what runs one program after the other; those of time are per program, by the clock. */
const WARM_LIMITS = {
  memoryMiB: 2048,
  cpuSeconds: 3600,
  processes: 64,
  openFiles: 256,
  fileSizeMiB: 0,
  workFolderMiB: 16,
};

/**
 * Java with a compiler that stays in memory, in a jail of its own, and writes no files. It runs no code of what it
 * compiles: annotation processors are turned off. Rejects with TOOLCHAIN_MISSING, TOOLCHAIN_TOO_OLD,
 * TOOLCHAIN_FAILED or SANDBOX_FAILED.
 */
export async function openJava({ isolation, memoryMiB }: ToolchainHost): Promise<Toolchain> {
  const [jdk, parser] = await Promise.all([findJdk(), openParser('java')]);
  const runtime = await javaRuntime(jdk);
  const readable = [...jdk.files, ...runtime.folders];
  const programs = createKeptPrograms();
  const native = nativeRuntime(programs, [jdk.java]);
  const warmJail = (program: 'compiler' | 'judge', folders: readonly string[], descriptors?: number) => {
    const argv = runtime.start(program, heap(WARM_LIMITS.memoryMiB));
    const jail = isolation.program(argv, [...readable, ...folders], WARM_LIMITS, [], descriptors);
    return { ...jail, env: { ...jail.env, ...jdk.environment } };
  };
  const compiler = createWarmCompiler(() => warmJail('compiler', []));
  return {
    version: `Java ${jdk.version}`,
    files: {
      ...native,
      readable: [...native.readable, ...readable],
      environment: jdk.environment,
    },
    startJudges: () => startWarmJudges(warmJail('judge', [native.judges], DESCRIPTORS)),
    async buildJudge(task, signal) {
      const { files, judgeArguments } = judgeSources(parser, task);
      const result = await compiler.compile(files, signal);
      if ('classes' in result)
        return await programs.judges.add(result.classes, path => [path, ...judgeArguments, 'verdict']);
      const complaint = 'complaint' in result ? result.complaint : null;
      const isTests = complaint?.file === testsFile;
      throwTestsFault(
        failureOf(result),
        isTests || !complaint ? complaint : { ...complaint, line: 1 },
        undefinedName(judgeArguments[0]),
      );
    },
    async buildCandidate(task, candidate, signal) {
      const result = await compiler.compile(candidateSources(parser, task, candidate), signal);
      if (!('classes' in result)) return javaFault(result);
      const command = runtime.start('candidate', heap(memoryMiB));
      return await programs.candidates.add(result.classes, path => [...command, path]);
    },
    async checkSyntax(candidate, _declaration, signal) {
      const result = await compiler.compile({ [candidateFile]: `${candidate}\n` }, signal);
      return 'classes' in result ? null : javaFault(result);
    },
    counting: judge => ({ ...judge, argv: [...judge.argv.slice(0, -1), 'counts'] }),
    headerOf: async (candidate, entryPoint) => candidateHeader(parser, candidate, entryPoint),
    explainEnd: explainJavaEnd,
    close: () => closeInOrder(compiler, programs),
  };
}

function heap(memoryMiB: number): string {
  return `-Xmx${Math.max(MIN_HEAP_MIB, memoryMiB - OVERHEAD_MIB)}m`;
}

type FailedCompilation = Exclude<Compilation, { readonly classes: Buffer }>;

/** As other compilers fail. */
function failureOf(result: FailedCompilation): FailedBuild {
  return 'timedOut' in result ? lateBuild : { status: 1, text: result.text };
}

/** A variable or method that the tests' class does not define; a class may be the candidate's. */
function undefinedName(testsClass: string): RegExp {
  return new RegExp(
    `^\\s*symbol:\\s*(?:method |variable (?!\\p{Lu})).*\\s+location:\\s*class ${literalPattern(testsClass)}$`,
    'mu',
  );
}

function javaFault(result: FailedCompilation): BuildFault {
  const complaint = 'complaint' in result ? result.complaint : null;
  const located = complaint && { ...complaint, file: complaint.file || candidateFile };
  return faultOf(failureOf(result), located, candidateFile);
}

/** What the virtual machine or the code that serves calls says before it ends. */
function explainJavaEnd(stderr: string): CandidateEnd | null {
  const isMemory = /^hefix: out of memory$|java\.lang\.OutOfMemoryError|insufficient memory for the Java/m;
  return isMemory.test(stderr) ? { kind: 'memory' } : null;
}

const mainClasses: Readonly<Record<JavaProgram, string>> = {
  candidate: 'Candidate',
  judge: 'Judges',
  compiler: 'Compiler',
};

/** hefix's own classes, compiled once per Java. */
interface JavaRuntime {
  /** Folders that its programs read. */
  readonly folders: readonly string[];
  /** The command that starts a program, to which its own arguments are added. */
  start(program: JavaProgram, ...options: string[]): readonly string[];
}

/**
 * The quick compiler alone and one thread for the garbage, since processes live a fraction of a second. The virtual
 * machine's own words go to stderr.
 */
const flags = [
  ...[
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-XX:-UsePerfData',
    '-Xshare:auto',
    '-Dfile.encoding=UTF-8',
  ],
  ...['-XX:+DisplayVMOutputToStderr', '-XX:ErrorFile=/dev/null', '-XX:-CreateCoredumpOnCrash'],
];

/**
 * The runtime, with archives of the classes that it loads, with which a virtual machine starts in half the time
 * (application class-data sharing). Archives name the files that they were made from, so those are in a folder of
 * their own. Rejects with TOOLCHAIN_FAILED or SANDBOX_FAILED.
 */
async function javaRuntime(jdk: Jdk): Promise<JavaRuntime> {
  const sources = packageFile('lib/extra/compiled/java/runtime');
  const parts = [jdk.version, jdk.java, ...flags, ...textsIn(sources)];
  const jars = await toolchainCache('java', parts, folder => buildJars(jdk, sources, folder));
  const command = (program: JavaProgram, options: readonly string[]): string[] => [
    ...[jdk.java, ...flags, ...options, '-jar', join(jars, `${program}.jar`)],
  ];
  const archives = await toolchainCache('java-archives', [...parts, jars], folder =>
    archiveRuntime(program => command(program, [`-XX:ArchiveClassesAtExit=${join(folder, program)}.jsa`])),
  );
  return {
    folders: [jars, archives],
    start: (program, ...options) =>
      command(program, [...options, `-XX:SharedArchiveFile=${join(archives, program)}.jsa`]),
  };
}

/** Building hefix's own classes takes seconds. */
const LONG = { timeout: 120_000, environment: javaLocale };

async function buildJars(jdk: Jdk, sources: string, folder: string): Promise<void> {
  const tool = (name: string): string => join(jdk.home, 'bin', name);
  const files = readdirSync(join(sources, 'hefix')).map(name => join(sources, 'hefix', name));
  const classes = join(folder, 'classes');
  await mkdir(classes);
  await runTool(
    tool('javac'),
    [NO_PERFORMANCE_DATA, '-encoding', 'UTF-8', '-proc:none', '-nowarn', '-d', classes, ...files],
    LONG,
  );
  await Promise.all(
    Object.entries(mainClasses).map(async ([name, main]) => {
      const manifest = join(folder, `${name}.txt`);
      // Java has no names for the descriptors of the lines and reports, and none for the hooks of its shutdown.
      const opens = name === 'judge' ? 'Add-Opens: java.base/java.io java.base/java.lang\n' : '';
      await writeFile(manifest, `Main-Class: hefix.${main}\n${opens}`);
      const args = ['cfm', join(folder, `${name}.jar`), manifest, '-C', classes, '.'];
      await runTool(tool('jar'), [NO_PERFORMANCE_DATA, ...args], LONG);
    }),
  );
  await rm(classes, { recursive: true });
}
