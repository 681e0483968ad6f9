import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * How many cores the machine computes with at once: two threads of one core share its arithmetic, and a second
 * one only slows it down. Where only Linux would tell, what the process may use.
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
