import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { allNamespaces, closeJail, type JailText, type OwnJail, parseJail } from './close-jail.ts';
import { type Kernel, openKernel } from './kernel.ts';

/** The descriptors of the first forked process begin here (python/programs/jail/forker.py). */
const FIRST = 3;
const CLONE_PARENT = 0x8000;
const PR_SET_DUMPABLE = 4;
const [F_GETFL, F_SETFL] = [3, 4];

/**
 * Serves python/programs/jail/fork_server.py: this process forks itself for each line of descriptor 0,
 * "NUMBER PARENT UID PROCESSES WORK", and answers with the new process's number, on descriptor 1. Returns in forked
 * processes only, each in its own jail, with its descriptors and the kernel's calls. Until then, this process reads nothing but those lines: no
 * candidate, no test. Forked processes therefore begin in the same state, and none can leave anything behind for the
 * next.
 *
 * `words` are the path of koffi and the numbers that the descriptors get. `rehearse` is run once in a forked process;
 * where that fails, this process ends, and programs are started instead. `collect` runs `gc()` in each other isolate, so
 * that forked processes do not have to move what is left from the start.
 */
export function forkOnRequest(
  [koffi = '', targets = '']: readonly string[],
  { rehearse, collect = () => {} }: { rehearse(): void; collect?(): void },
): Kernel {
  const kernel = openKernel(koffi);
  kernel.call('prctl', PR_SET_DUMPABLE, 0);
  const jail = parseJail(process.env.HEFIX_JAIL ?? '');
  delete process.env.HEFIX_JAIL;
  Reflect.set(process, 'reallyExit', (status: number) => kernel.exit(status));
  collectGarbage(collect);
  if (!canFork(kernel, rehearse)) process.exit(1);

  const numbers = targets.split(',').map(Number);
  const events = eventDescriptors();
  for (let line = readLine(); line !== null; line = readLine()) {
    const [number = '', parent, uid = '', processes, ...work] = line.split(' ');
    const own = {
      parent: Number(parent),
      uid: uid === '' ? null : Number(uid),
      processes: Number(processes),
      work: work.join(' '),
    };
    const first = FIRST + numbers.length * Number(number);
    const descriptors = numbers.map((_, i) => first + i);
    const pid = kernel.fork(CLONE_PARENT | (jail.inner ? allNamespaces : 0));
    if (pid === 0) {
      enterJail(kernel, jail, own, { descriptors, numbers, events });
      return kernel;
    }
    writeSync(1, `${pid}\n`);
    for (const descriptor of descriptors) closeSync(descriptor);
  }
  process.exit(0);
}

function collectGarbage(collect: () => void): void {
  // Contexts that exist already do not get the function.
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  collect();
  setFlagsFromString('--no-expose-gc');
}

/**
 * The descriptors with which V8's and libuv's threads are woken. Forked processes do not have these threads, and
 * must not wake those of this process, but end if they cannot write.
 */
function eventDescriptors(): number[] {
  const found: number[] = [];
  // They are the last that were opened, without a gap.
  for (let last = openSync('/dev/null', 'r'); last > 2; last--) {
    try {
      // No kind of file.
      if ((fstatSync(last).mode & constants.S_IFMT) === 0) found.push(last);
    } catch {
      // It is not open.
    }
  }
  return found;
}

/** Whether a forked process can use its copy of the memory. */
function canFork(kernel: Kernel, rehearse: () => void): boolean {
  const child = kernel.fork(0);
  if (child === 0) {
    try {
      rehearse();
      kernel.exit(0);
    } finally {
      kernel.exit(1);
    }
  }
  const status = Buffer.alloc(4);
  kernel.call('wait4', child, status);
  return status.readInt32LE() === 0;
}

function enterJail(
  kernel: Kernel,
  jail: JailText,
  own: OwnJail,
  { descriptors, numbers, events }: Readonly<Record<'descriptors' | 'numbers' | 'events', readonly number[]>>,
): void {
  try {
    kernel.call('setsid');
    const empty = openSync('/dev/null', 'r+');
    for (const standard of [0, 1, 2]) if (!numbers.includes(standard)) kernel.call('dup3', empty, standard);
    for (const [i, descriptor] of descriptors.entries()) kernel.call('dup3', descriptor, numbers[i] ?? 0);
    for (const event of events) kernel.call('dup3', empty, event);
    // The other end of a stream may be one that the host does not wait for.
    kernel.call('fcntl', 0, F_SETFL, kernel.call('fcntl', 0, F_GETFL) & ~constants.O_NONBLOCK);
    Object.assign(process.env, { HOME: own.work, TMPDIR: own.work });
    closeJail(kernel, jail, own, [0, 1, 2, ...numbers, ...events]);
  } catch (problem) {
    writeSync(2, `Error: ${problem instanceof Error ? problem.message : problem}\n`);
    kernel.exit(1);
  }
}

/** One line is sent at a time. */
function readLine(): string | null {
  const bytes = Buffer.alloc(8192);
  for (let size = 0; size < bytes.length; ) {
    const count = readSync(0, bytes, size, bytes.length - size, null);
    if (count === 0) return null;
    size += count;
    if (bytes[size - 1] === 0x0a) return bytes.toString('utf8', 0, size - 1);
  }
  return null;
}
