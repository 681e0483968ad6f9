import { readFileSync } from 'node:fs';
import { type Finding, good, missing } from './finding.ts';

/** Since Ubuntu 23.10 only programs with an AppArmor profile may create user namespaces. */
const setting = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

/** Whether AppArmor keeps ordinary users from creating namespaces; no finding if there is no such setting. */
export function appArmor(bubblewrap: string, read: (path: string) => string = readSetting): Finding[] {
  const value = read(setting).trim();
  if (value === '') return [];
  if (value === '0') return [good('AppArmor', 'lets ordinary users make namespaces')];
  return [
    missing(
      'AppArmor',
      'keeps ordinary users from making namespaces, which bubblewrap and namespaces need',
      installation(bubblewrap),
    ),
  ];
}

/** Commands that an administrator runs once. */
function installation(bubblewrap: string): string {
  return `Install a profile for bubblewrap:
sudo tee /etc/apparmor.d/bwrap <<'END'
abi <abi/4.0>,
include <tunables/global>
profile bwrap ${bubblewrap} flags=(unconfined) {
  userns,
  include if exists <local/bwrap>
}
END
sudo apparmor_parser -r /etc/apparmor.d/bwrap`;
}

function readSetting(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
