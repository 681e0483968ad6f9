import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkFolder } from './work-folder.ts';

/**
 * The user of a jail by name, and what programs read about users and hosts. Of this system, it has at most the numbers of
 * user and group.
 */
export interface NamedUser {
  /** Files of the host, and where the jail shows them. */
  readonly files: readonly (readonly [from: string, to: string])[];
  release(): Promise<void>;
}

export const userName = 'user';
const NOBODY = 65534;

/** @param uid null for the current user @param home of the user, in the jail */
export function nameUser(uid: number | null, home: string): NamedUser {
  const id = uid ?? process.getuid?.() ?? 0;
  const group = uid ?? process.getgid?.() ?? 0;
  // A process without privileges may be in a namespace of users of its own, in which nobody has a number.
  const numbers = [...new Set(uid === null ? [id] : [id, NOBODY])];
  const root = id === 0 ? [] : ['root:x:0:0:root:/root:/bin/sh'];
  const rootGroup = group === 0 ? [] : ['root:x:0:'];
  const texts = {
    '/etc/passwd': [
      ...root,
      ...numbers.map(
        number => `${userName}:x:${number}:${number === id ? group : number}:${userName}:${home}:/bin/sh`,
      ),
    ],
    '/etc/group': [
      ...rootGroup,
      `${userName}:x:${group}:`,
      ...(uid === null ? [] : [`${userName}:x:${NOBODY}:`]),
    ],
    '/etc/hosts': ['127.0.0.1 localhost hefix', '::1 localhost'],
    '/etc/hostname': ['hefix'],
    '/etc/nsswitch.conf': ['passwd: files', 'group: files', 'hosts: files dns'],
  };
  const folder = createWorkFolder(null);
  chmodSync(folder.path, 0o755);
  const files = Object.entries(texts).map(([to, lines]) => {
    const from = join(folder.path, to.slice('/etc/'.length));
    writeFileSync(from, `${lines.join('\n')}\n`, { mode: 0o644 });
    return [from, to] as const;
  });
  return { files, release: folder.remove };
}
