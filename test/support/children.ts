import { existsSync, readFileSync } from 'node:fs';

/** The numbers of the processes that this one started and that have not ended; none where the system does not tell. */
export function children(): number[] {
  const list = `/proc/self/task/${process.pid}/children`;
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}
