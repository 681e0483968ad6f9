import { readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { packageFile } from '../../../files/package-root.ts';
import { toolchainFailed } from '../errors.ts';
import { textsIn, toolchainCache } from '../toolchain-cache.ts';
import { archiveRuntime, type JavaProgram } from './archives.ts';
import type { Jdk } from './jdk.ts';

const mainClasses: Readonly<Record<JavaProgram, string>> = {
  candidate: 'Candidate',
  judge: 'Judges',
  compiler: 'Compiler',
};

/** hefix's own classes, compiled once per Java. */
export interface JavaRuntime {
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
 * their own. Rejects with TOOLCHAIN_FAILED.
 */
export async function javaRuntime(jdk: Jdk): Promise<JavaRuntime> {
  const sources = packageFile('lib/sandbox/compiled/java/runtime');
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

async function buildJars(jdk: Jdk, sources: string, folder: string): Promise<void> {
  const tool = (name: string): string => join(jdk.home, 'bin', name);
  const files = readdirSync(join(sources, 'hefix')).map(name => join(sources, 'hefix', name));
  const classes = join(folder, 'classes');
  await mkdir(classes);
  await run(tool('javac'), ['-encoding', 'UTF-8', '-proc:none', '-nowarn', '-d', classes, ...files]);
  await Promise.all(
    Object.entries(mainClasses).map(async ([name, main]) => {
      const manifest = join(folder, `${name}.txt`);
      // Java has no names for the descriptors of the lines and reports.
      const opens = name === 'judge' ? 'Add-Opens: java.base/java.io\n' : '';
      await writeFile(manifest, `Main-Class: hefix.${main}\n${opens}`);
      await run(tool('jar'), ['cfm', join(folder, `${name}.jar`), manifest, '-C', classes, '.']);
    }),
  );
  await rm(classes, { recursive: true });
}

async function run(program: string, words: readonly string[]): Promise<void> {
  try {
    await execa(program, words, { timeout: 120_000, env: { LC_ALL: 'C' } });
  } catch (cause) {
    const text = String((cause as { stderr?: unknown }).stderr ?? cause);
    throw toolchainFailed(program, text.trim().split('\n')[0] ?? 'it failed', cause);
  }
}
