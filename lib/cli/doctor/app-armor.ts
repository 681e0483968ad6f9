import { readFileSync } from 'node:fs';
import { realPath } from '../../files/paths.ts';
import { type Finding, good, missing } from './finding.ts';

/** Set to 1 by default since Ubuntu 24.04: only programs with an AppArmor profile may use user namespaces. */
const setting = 'kernel.apparmor_restrict_unprivileged_userns';

export interface AppArmorHost {
  /** The path of bwrap, or where its package would put it. */
  readonly bubblewrap: string;
  /** Whether a level of isolation that needs user namespaces works here, as root's always do. */
  readonly works: boolean;
  /** Reads a file of the kernel's; an empty text if there is none. */
  readonly read?: (path: string) => string;
}

/** Whether AppArmor restricts user namespaces, and the profile that allows bubblewrap's; empty if there is no such setting. */
export function appArmor({ bubblewrap, works, read = readSetting }: AppArmorHost): Finding[] {
  const value = read(`/proc/sys/${setting.replaceAll('.', '/')}`).trim();
  if (value === '') return [];
  const state = `${setting} is ${value}`;
  if (value === '0') return [good('AppArmor', `${state}: user namespaces are allowed`)];
  if (works) return [good('AppArmor', `${state}, but user namespaces work here`)];
  const detail = `${state}, as on Ubuntu 24.04: the levels bubblewrap and namespaces do not work`;
  // AppArmor knows a program by its real path: /usr/bin/bwrap, not /bin/bwrap.
  return [missing('AppArmor', detail, installation(realPath(bubblewrap)))];
}

/**
 * Commands that an administrator runs once; indented, they still work. Programs that bwrap starts keep its profile, and
 * so its right.
 */
function installation(bubblewrap: string): string {
  return `Install bubblewrap, and a profile that allows its user namespaces:
sudo apt-get install bubblewrap
printf '%s\\n' 'abi <abi/4.0>,
include <tunables/global>
profile bwrap ${bubblewrap} flags=(unconfined) {
  userns,
  include if exists <local/bwrap>
}' | sudo tee /etc/apparmor.d/bwrap
sudo apparmor_parser -r /etc/apparmor.d/bwrap`;
}

function readSetting(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
