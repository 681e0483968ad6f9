import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * The number of physical cores, since two threads on one core compete for its arithmetic units; at most the number of
 * processors that this process may use, which it also is where the system is not Linux.
 */
export function physicalCores(folder = '/sys/devices/system/cpu'): number {
  const usable = availableParallelism();
  try {
    const cores = readdirSync(folder)
      .filter(name => /^cpu\d+$/.test(name))
      .map(name => readFileSync(`${folder}/${name}/topology/thread_siblings_list`, 'utf8').trim());
    return cores.length === 0 ? usable : Math.min(usable, new Set(cores).size);
  } catch {
    return usable;
  }
}
