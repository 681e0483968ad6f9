import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { availableParallelism, freemem, homedir, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { devices } from '../../core/choices.ts';
import { HefixError } from '../../core/errors.ts';
import { extras } from '../../extras.ts';
import { packageFile } from '../../files/package.ts';
import { isolatedVmMissing } from '../../sandbox/errors.ts';
import { type ProcessIsolationLevel, surveyIsolation } from '../../sandbox/isolation/isolation.ts';
import { findProgram } from '../../sandbox/isolation/programs.ts';
import { isToBeCompiled } from '../../sandbox/javascript/host/compile-isolated-vm.ts';
import { isolatedVmBinary, isolatedVmVersion } from '../../sandbox/javascript/host/isolated-vm.ts';
import { preparePython } from '../../sandbox/python/host/python-programs.ts';
import { appArmor } from './app-armor.ts';
import { checkCaches } from './caches.ts';
import { type Finding, good, missing, toHefixError, unusable } from './finding.ts';
import { type ProvenLevel, proveMetadata } from './prove-isolation.ts';

export interface CheckHostOptions {
  /** The command that starts Python. */
  readonly python?: string;
  /** hefix's own cache, with built models, compiled programs and replies; it need not exist yet. */
  readonly cache: string;
  /** Variables that select the container engine. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Determines what hefix can use on this system, by trying it; what it finds about isolation is kept in the cache. Never rejects. */
export async function checkHost(options: CheckHostOptions): Promise<readonly Finding[]> {
  const python = await preparePython(options.python).catch(toHefixError);
  const findings = await Promise.all([
    [node()],
    python instanceof HefixError
      ? [unusable('Python', python.message, python.hint)]
      : pythonAndIsolation(python),
    ...extras.flatMap(({ findings }) => findings?.(options.environment) ?? []),
    isolatedVm(),
    usableDevices(),
    [memory(), cores()],
    checkCaches(options.cache),
    telemetryFiles(options.environment),
  ]);
  return findings.flat();
}

function node(): Finding {
  return good('Node', `${process.versions.node} at ${process.execPath}`);
}

async function pythonAndIsolation({ executable }: { readonly executable: string }): Promise<Finding[]> {
  const version = await output(executable, ['--version']);
  return [
    good('Python', `${version.replace('Python ', '')} at ${executable}`),
    good('judge', JUDGE),
    ...(await isolation(executable)),
    ...(await metadata(executable)),
  ];
}

const JUDGE =
  'started as python3 -I -S -B; candidates get a fixed hash seed, which -I would ignore, and the rest of what -I does';

async function isolation(python: string): Promise<Finding[]> {
  const survey = await surveyIsolation(python);
  const levels = await Promise.all(
    survey.map(async probe => {
      if (!probe.works) return missing(probe.level, probe.reason, levelAdviceFor(probe.level, probe.reason));
      const version = probe.level === 'bubblewrap' ? `${await bubblewrapVersion()}, ` : '';
      return good(probe.level, `${version}works`);
    }),
  );
  const holds = new Set(survey.flatMap(probe => (probe.works ? probe.holds : [])));
  const kernel = ['landlock', 'seccomp'].map(name =>
    holds.has(name) ? good(name, 'works') : missing(name, 'the kernel or this Python has none', kernelAdvice),
  );
  const works = survey.some(probe => probe.works && needUserNamespaces.includes(probe.level));
  const bubblewrap = findProgram('bwrap') ?? '/usr/bin/bwrap';
  return [...levels, ...kernel, ...appArmor({ bubblewrap, works })];
}

const needUserNamespaces: readonly string[] = ['bubblewrap', 'namespaces'];

const levelAdvice = {
  bubblewrap: 'apt-get install bubblewrap; where it is there, the kernel has to allow user namespaces.',
  namespaces: 'It needs Linux 5.12 or newer, user namespaces, and a Python with ctypes.',
  seatbelt: 'It needs sandbox-exec, which comes with macOS, in /usr/bin.',
  ulimit: 'Without it, only --sandbox docker can run candidates.',
};

/** Python's message names the system call that the kernel refused. */
export function levelAdviceFor(level: ProcessIsolationLevel, why: string): string {
  const isRefused = level !== 'namespaces' || /system call|ctypes/.test(why);
  return isRefused ? levelAdvice[level] : 'The kernel allows what it needs: report this line as a bug.';
}

/** Without any level there is nothing to try; the findings on levels say so. */
async function metadata(python: string): Promise<Finding[]> {
  try {
    return [metadataFinding(await proveMetadata(python))];
  } catch {
    return [];
  }
}

export function metadataFinding({ level, protections }: ProvenLevel): Finding {
  const open = protections.filter(({ held }) => !held).map(({ name }) => name.replace('metadata: ', ''));
  if (open.length === 0) return good('file metadata', `candidates cannot change it at the level ${level}`);
  const detail = `not protected at the level ${level}: ${open.join(', ')}`;
  return missing(
    'file metadata',
    detail,
    'hefix doctor --prove tries the protections; --sandbox docker has its own files.',
  );
}

const kernelAdvice =
  'Linux 5.13 or newer has Landlock, and both need a Python with ctypes on x86-64 or arm64.';

async function bubblewrapVersion(): Promise<string> {
  const program = findProgram('bwrap') ?? 'bwrap';
  return `${(await output(program, ['--version'])).replace('bubblewrap ', '')} at ${program}`;
}

/** Loaded in a separate process: a build for another Node version can crash it. */
async function isolatedVm(): Promise<Finding[]> {
  if (isToBeCompiled()) return [good('isolated-vm', 'is compiled when JavaScript is first judged')];
  const script = 'new (require(process.argv[1]).ivm.Isolate)({ memoryLimit: 8 }).dispose()';
  try {
    const args = ['--no-node-snapshot', '--eval', script, isolatedVmBinary()];
    await execa(process.execPath, args, { cwd: '/', timeout: 30_000 });
    return [good('isolated-vm', 'works')];
  } catch {
    const { hint } = isolatedVmMissing(isolatedVmVersion(), '');
    return [missing('isolated-vm', 'it cannot be loaded, so --lang js has no sandbox', hint)];
  }
}

/**
 * The devices on which the bundled model opens. Tried in a separate process, which a device's libraries can
 * crash.
 */
async function usableDevices(): Promise<Finding[]> {
  const script = `
    const [graph, session] = process.argv.slice(1);
    const { openSession } = await import(session);
    for (const device of ${JSON.stringify(devices)})
      await openSession(graph, { device, threads: 1 }).then(() => console.log(device), () => {});`;
  const { stdout } = await execa(
    process.execPath,
    [
      ...['--input-type=module', '-e', script, packageFile('fixtures/model/onnx/model.onnx')],
      pathToFileURL(packageFile('dist/lib/model/onnx/session.js')).href,
    ],
    { cwd: packageFile('.'), timeout: 60_000, reject: false },
  );
  const usable = stdout.split('\n').filter(line => devices.some(device => device === line));
  const others = devices.filter(device => !usable.includes(device));
  return usable.includes('cpu')
    ? [good('devices', `${usable.join(', ')}; not available here: ${others.join(', ')}`)]
    : [unusable('devices', 'onnxruntime-node cannot open a model', 'npm install onnxruntime-node')];
}

/** A run needs memory for the model and, per concurrent execution, the limit of --memory. */
function memory(): Finding {
  const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
  const detail = `${gib(freemem())} of ${gib(totalmem())} free`;
  return totalmem() >= 2 * 2 ** 30
    ? good('memory', detail)
    : missing('memory', detail, 'Give --memory a smaller limit.');
}

function cores(): Finding {
  const count = availableParallelism();
  return good('cores', `${count}; --workers ${count} uses them all`);
}

/** Builds before telemetry was turned off had onnxruntime write them, as other programs may. */
async function telemetryFiles(environment: CheckHostOptions['environment']): Promise<Finding[]> {
  const { XDG_CACHE_HOME, TMPDIR } = environment;
  const folder = join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'Microsoft/DeveloperTools/.onnxruntime');
  const temporary = TMPDIR || tmpdir();
  const names: readonly string[] = await readdir(temporary).catch(() => []);
  const logs = names.some(name => /^mat-debug-\d+\.log$/.test(name)) ? ['mat-debug-*.log'] : [];
  const others = names.includes('.ses') ? ['.ses'] : [];
  const files = [
    ...(existsSync(folder) ? [`'${folder}'`] : []),
    ...[...logs, ...others].map(name => `'${temporary}'/${name}`),
  ];
  if (files.length === 0) return [];
  const problem = `onnxruntime of an earlier hefix, or of another program, left files of its telemetry: ${files.join(', ')}`;
  return [missing('telemetry', problem, `Remove them: rm -r ${files.join(' ')}`)];
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const { failed, stdout } = await execa(program, args, { cwd: '/', timeout: 30_000, reject: false });
  return failed ? 'an unknown version' : stdout.trim();
}
