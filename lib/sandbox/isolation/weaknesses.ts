import type { ProcessIsolationLevel } from './jail.ts';

/** One sentence on what a level leaves open here and how to close it; null if nothing is open. */
export function weaknesses(level: ProcessIsolationLevel, holds: readonly string[]): string | null {
  if (level !== 'ulimit') return null;
  const open = [
    ...(holds.includes('landlock') ? [] : ['read and change your files']),
    ...(holds.includes('seccomp') ? [] : ['use the network', 'start and signal processes']),
  ];
  const what = open.length
    ? `candidates can ${open.join(' and ')}`
    : 'candidates share the process list and the folder names of this machine';
  const how =
    process.platform === 'linux'
      ? 'install bubblewrap (apt-get install bubblewrap) or use --sandbox docker'
      : 'use --sandbox docker';
  return `The sandbox runs at its weakest level, ulimit: ${what}; ${how} to isolate them.`;
}
