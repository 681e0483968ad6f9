import { realpathSync, statSync } from 'node:fs';
import { realPath } from '../../files/paths.ts';
import type { Jail, Plan } from './jail.ts';
import { devices, jailEnvironment } from './jail-text.ts';
import { foldersAround } from './mounts.ts';
import { findProgram } from './programs.ts';
import { userOutside } from './unprivileged-user.ts';
import { createWorkFolder } from './work-folder.ts';

/**
 * The sandbox of macOS, sandbox-exec(1), with a profile that denies everything it does not list. It has not
 * run on macOS so far: only the profile's text and the command line are tested. The probe runs an interpreter
 * under it before the level is chosen; if macOS rejects the profile, the next level is used. The interpreter
 * may be started again from inside, under the same profile. macOS cannot limit a process's address space, so
 * memory is unlimited.
 */
export function underSeatbelt(plan: Plan): Jail {
  const user = userOutside(plan.mounts);
  const folder = createWorkFolder(user.uid);
  // Temporary folders are under /var, a link to /private/var, and the sandbox compares real paths only.
  const work = realpathSync(folder.path);
  const args = ['-p', seatbeltProfile(plan, work), ...plan.argv];
  const env = jailEnvironment({ level: 'seatbelt', plan, ...user, work });
  return {
    file: findProgram('sandbox-exec') ?? 'sandbox-exec',
    args,
    env,
    cwd: work,
    release: folder.remove,
  };
}

/** The profile in Apple's sandbox profile language; if several rules match, the last one decides. */
export function seatbeltProfile({ argv, mounts, executable, limits }: Plan, work: string): string {
  const reads = [...mounts.paths, ...systemFolders];
  const links = [...mounts.links.keys()];
  // The python3 of a framework build only starts the program inside its Python.app.
  const programs = [...new Set([...argv.slice(0, 1), ...executable].map(realPath))];
  return [
    '(version 1)',
    '(deny default)',
    // Operations that `default` does not cover.
    '(deny process-info* nvram* iokit-get-properties file-map-executable)',
    rule('process-exec', [...programs.map(exact), ...programs.flatMap(frameworkProgram)]),
    '(allow process-info* (target self))',
    '(allow signal (target self))',
    rule('file-read*', [...[...reads, work].map(below), ...[...devices, ...links, '/'].map(exact)]),
    rule('file-map-executable', reads.map(below)),
    // Parent folders, but not their contents.
    rule('file-read-metadata', foldersAround([...reads, ...links, ...devices, work]).map(exact)),
    rule('file-write*', [below(work)]),
    rule('file-write-data', [exact('/dev/null')]),
    ...(limits.network === 'machine'
      ? ['(allow network*)', '(allow system-socket)', '(allow mach-lookup)']
      : []),
    // For os.cpus(), which asks through the host's port, and os.cpu_count(). Listed by name, since all of them would
    // show the arguments of other processes.
    '(allow mach-host*)',
    rule('sysctl-read', [
      ...sysctls.map(name => `(sysctl-name ${quoted(name)})`),
      '(sysctl-name-prefix "hw.")',
    ]),
    // Names that Python's multiprocessing gives its locks.
    '(allow ipc-posix-sem (ipc-posix-name-regex #"^/mp-"))',
  ]
    .map(line => `${line}\n`)
    .join('');
}

/** System paths that programs need, and where libraries for all users are installed. */
const systemFolders = [
  '/usr/lib',
  '/System/Library',
  '/System/Cryptexes',
  '/System/Volumes/Preboot/Cryptexes',
  '/private/var/db/dyld',
  ...['/opt/homebrew', '/usr/local'].flatMap(root => ['Cellar', 'lib', 'opt'].map(name => `${root}/${name}`)),
];

const sysctls = (
  'kern.argmax kern.hostname kern.maxfilesperproc kern.maxproc kern.ngroups kern.osproductversion ' +
  'kern.osrelease kern.ostype kern.osvariant_status kern.osversion kern.secure_kernel ' +
  'kern.sysv.semmni kern.usrstack64 kern.version machdep.cpu.brand_string sysctl.proc_cputype ' +
  'sysctl.proc_translated vm.loadavg'
).split(' ');

function frameworkProgram(program: string): string[] {
  const version = /^(.*\/Python3?\.framework\/Versions\/[^/]+)\//.exec(program)?.[1];
  return version === undefined ? [] : [exact(`${version}/Resources/Python.app/Contents/MacOS/Python`)];
}

function rule(operation: string, filters: readonly string[]): string {
  return `(allow ${operation} ${[...new Set(filters)].join(' ')})`;
}

/** A file or folder without its contents. */
function exact(path: string): string {
  return `(literal ${quoted(path)})`;
}

/** A file, or a folder with its contents. */
function below(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? exact(path) : `(subpath ${quoted(path)})`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
