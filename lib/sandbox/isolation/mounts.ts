import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
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
