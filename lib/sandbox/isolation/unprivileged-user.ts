import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Mounts } from './mounts.ts';

/** The user that candidates run as if root starts them. */
export interface UnprivilegedUser {
  /** Null to stay the same user, without capabilities. */
  readonly uid: number | null;
  /** Whether it keeps the capability to read files of root: the interpreter, as far as Landlock allows. */
  readonly search: boolean;
}

/**
 * The user inside namespaces: null for an ordinary user, and if others cannot read the interpreter's files.
 */
export function userInside(mounts: Mounts): number | null {
  return mounts.openInside && hasCapabilities(neededInside) ? someUser() : null;
}

/** The user without namespaces: another user even if others cannot read the interpreter's files. */
export function userOutside(mounts: Mounts): UnprivilegedUser {
  const search = !mounts.openOutside;
  const needed = search ? [...neededOutside, 'DAC_READ_SEARCH' as const] : neededOutside;
  if (!hasCapabilities(needed) || (search && process.platform !== 'linux'))
    return { uid: null, search: false };
  const uid = someUser();
  return { uid, search: search && uid !== null };
}

/** Whether nothing else on this system can belong to that user. */
export function isOwnUser(uid: number | null): boolean {
  return uid !== null && uid !== nobody;
}

/** Whether root's candidates run as that user. */
export function isCandidatesUser(uid: number): boolean {
  return uid === nobody || (uid >= firstNumber && uid < firstNumber + numbers);
}

/**
 * A user id for each candidate, drawn from a range that systemd's UIDS-GIDS.md lists as unused; in a container with
 * few ids, `nobody`, which needs no entry in /etc/passwd. Null in a user namespace that has no other user.
 */
function someUser(): number | null {
  if (process.platform !== 'linux') return nobody;
  const wanted = firstNumber + randomInt(numbers);
  return [wanted, nobody].find(id => isMapped('uid', id) && isMapped('gid', id)) ?? null;
}

/** Whether this process's user namespace has the id. */
function isMapped(kind: 'uid' | 'gid', id: number): boolean {
  const lines = readFileSync(`/proc/self/${kind}_map`, 'utf8').trim().split('\n');
  return lines.some(line => {
    const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
    return first <= id && id < first + count;
  });
}

/** Whether this process is root with the capabilities it needs. */
function hasCapabilities(needed: ReadonlyArray<keyof typeof capabilities>): boolean {
  if (process.geteuid?.() !== 0) return false;
  if (process.platform !== 'linux') return true;
  const effective = /^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  const held = BigInt(`0x${effective}`);
  return needed.every(name => (held >> capabilities[name]) & 1n);
}

const nobody = 65534;
const firstNumber = 1_900_000_000;
const numbers = 1_000_000;
const neededOutside = ['CHOWN', 'SETGID', 'SETUID'] as const;
const neededInside = [...neededOutside, 'SYS_ADMIN'] as const;

/** Bits of the kernel's capability sets; see capabilities(7). */
const capabilities = { CHOWN: 0n, DAC_READ_SEARCH: 2n, SETGID: 6n, SETUID: 7n, SYS_ADMIN: 21n };
