import { randomInt } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathUnmountable } from '../errors.ts';

/** What must exist inside a jail so that files are found under their own names. */
export interface Mounts {
  /** Files and folders as real paths, none inside another. */
  readonly paths: readonly string[];
  /** Symbolic links on the way to them, as on the host: `/lib` → `usr/lib`. */
  readonly links: ReadonlyMap<string, string>;
  /**
   * Whether every user of this system may read all of it: with new parent folders, and with the existing
   * ones.
   */
  readonly openInside: boolean;
  readonly openOutside: boolean;
}

export function viewOf(files: readonly string[]): Mounts {
  const links = new Map<string, string>();
  const real = [...new Set(files.filter(existsSync).map(file => followLinks(file, links)))];
  const paths = real.filter(path => !real.some(other => other !== path && isInside(path, other))).sort();
  for (const link of [...links.keys()]) if (paths.some(path => isInside(link, path))) links.delete(link);
  const openInside = paths.every(isReadableByAll);
  const openOutside = openInside && foldersAround(paths).every(folder => hasBits(folder, 0o1));
  return { paths, links, openInside, openOutside };
}

/** Every parent folder of the paths, outer ones first, without the root. */
export function foldersAround(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap(foldersAbove))].filter(folder => folder !== '/').sort();
}

/** The real path; adds each symbolic link on the way to `links`. */
function followLinks(path: string, links: Map<string, string>): string {
  let walked = '/';
  const ahead = partsOf(path);
  for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
    // As the kernel does: the folder above is that of what a link leads to, not that of the link.
    if (part === '..') {
      walked = dirname(walked);
      continue;
    }
    const here = join(walked, part);
    // Jails are described in lines, which a name could otherwise continue.
    if (/[\u0000-\u001f\u007f]/.test(part)) throw pathUnmountable(here);
    if (!lstatSync(here).isSymbolicLink()) {
      walked = here;
      continue;
    }
    const target = readlinkSync(here);
    if (/[\u0000-\u001f\u007f]/.test(target)) throw pathUnmountable(here);
    links.set(here, target);
    ahead.unshift(...partsOf(target));
    if (target.startsWith('/')) walked = '/';
  }
  return walked;
}

function partsOf(path: string): string[] {
  return path.split('/').filter(part => part !== '' && part !== '.');
}

function isReadableByAll(path: string): boolean {
  return hasBits(path, statSync(path).isDirectory() ? 0o5 : 0o4);
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder === '/' ? folder : `${folder}/`);
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

function hasBits(path: string, bits: number): boolean {
  return (statSync(path).mode & bits) === bits;
}

/** What programs read to resolve names and to check certificates; private keys are left out. */
export const networkFiles: readonly string[] = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/gai.conf',
  '/etc/services',
  '/etc/protocols',
  '/etc/ssl/certs',
  '/etc/ssl/cert.pem',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
  '/usr/share/ca-certificates',
];

/** The user that candidates run as if root starts them. */
interface UnprivilegedUser {
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
