import type { ProcessIsolationLevel } from './jail.ts';

/**
 * One sentence on what a level does not isolate on a system and how to fix that; null if it isolates
 * everything.
 */
export function weaknesses(
  level: ProcessIsolationLevel,
  holds: readonly string[],
  platform: NodeJS.Platform,
): string | null {
  if (level === 'seatbelt')
    return 'The sandbox runs at the level seatbelt: macOS does not limit the memory of candidates; use --sandbox docker to limit it.';
  if (level !== 'ulimit') return null;
  const open = [
    ...(holds.includes('landlock') ? [] : ['read and change your files']),
    ...(holds.includes('seccomp') ? [] : ['use the network', 'start and signal processes']),
    ...(platform === 'darwin' ? ['use all memory, since macOS has no limit on address space'] : []),
  ];
  const what = open.length
    ? `candidates can ${new Intl.ListFormat('en-GB').format(open)}`
    : 'candidates share the process list and the folder names of this system';
  const how =
    platform === 'linux'
      ? 'install bubblewrap (apt-get install bubblewrap) or use --sandbox docker'
      : 'use --sandbox docker';
  return `The sandbox runs at its weakest level, ulimit: ${what}; ${how} to isolate them.`;
}
