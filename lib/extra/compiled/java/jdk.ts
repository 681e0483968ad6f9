import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { realPath } from '../../../files/paths.ts';
import { toolchainFailed } from '../errors.ts';
import { NO_PERFORMANCE_DATA, requireTool, requireVersion, toolRequirements } from '../find-toolchain.ts';

/** A Java Development Kit. */
export interface Jdk {
  readonly home: string;
  readonly java: string;
  readonly version: string;
  /** Files and folders that a virtual machine reads. */
  readonly files: readonly string[];
  /** Variables that it needs in a jail. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Messages in English, and names of files in UTF-8: in the locale C, Java opens only files with ASCII names. */
export const javaLocale = { LC_ALL: 'C.UTF-8' };
/** Where glibc reads that locale, under the name of newer or older versions. */
const localeFiles = ['/usr/lib/locale/C.utf8', '/usr/lib/locale/C.UTF-8'];

/** @throws TOOLCHAIN_MISSING, TOOLCHAIN_TOO_OLD or TOOLCHAIN_FAILED */
export async function findJdk(): Promise<Jdk> {
  const javac = requireTool(toolRequirements.java);
  const home = await ask(javac, ['-J-XshowSettings:properties', '-version'], /^[ \t]*java\.home = (.*)$/m);
  const version = await ask(javac, ['-version'], /^javac (\d[\w.]*)/m);
  requireVersion(javac, version, toolRequirements.java.minimum);
  const java = join(home, 'bin/java');
  if (!existsSync(java)) throw toolchainFailed(javac, `${java} is missing`);
  return {
    home,
    java: realPath(java),
    version,
    files: [realPath(home), ...settingsElsewhere(realPath(home)), ...localeFiles],
    // Without /proc the loader does not find libraries that are named relative to the program.
    environment: { ...javaLocale, LD_LIBRARY_PATH: join(realPath(home), 'lib') },
  };
}

/** Debian links the settings in `conf` to files in /etc. */
function settingsElsewhere(home: string): string[] {
  const conf = join(home, 'conf');
  if (!existsSync(conf)) return [];
  const names = readdirSync(conf, { recursive: true, encoding: 'utf8' });
  const paths = names.map(name => realPath(join(conf, name)));
  return [...new Set(paths.filter(path => !path.startsWith(`${home}/`) && existsSync(path)))];
}

async function ask(program: string, args: readonly string[], pattern: RegExp): Promise<string> {
  const options = { cwd: '/', timeout: 30_000, env: javaLocale, reject: false } as const;
  const { stdout, stderr } = await execa(program, [NO_PERFORMANCE_DATA, ...args], options);
  const match = pattern.exec(`${stdout}\n${stderr}`)?.[1];
  if (match === undefined) throw toolchainFailed(program, `${args.at(-1)} does not answer`);
  return match.trim();
}
