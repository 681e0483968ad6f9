import { hostname } from 'node:os';
import { engine } from './engine.ts';
import type { DockerSettings } from './settings.ts';

/** What every container of hefix carries, to watch it by (`docker events --filter label=hefix`) and to sweep it. */
export function labels(): string[] {
  return ['hefix=sandbox', `hefix.host=${hostname()}`, `hefix.pid=${process.pid}`];
}

/** Removes the containers whose hefix is gone, which a kill -9 can leave behind. */
export async function sweepContainers(settings: DockerSettings): Promise<void> {
  const mine = ['--filter', 'label=hefix=sandbox', '--filter', `label=hefix.host=${hostname()}`];
  const format = '{{.ID}} {{.Label "hefix.pid"}}';
  const rows = (await engine(settings, ['ps', '--all', ...mine, '--format', format]))
    .split('\n')
    .filter(Boolean);
  const orphans = rows.map(row => row.split(' ')).filter(([, pid]) => !isAlive(Number(pid)));
  if (orphans.length > 0)
    await removeContainers(
      settings,
      orphans.map(([id = '']) => id),
    );
}

export async function removeContainers(settings: DockerSettings, names: readonly string[]): Promise<void> {
  try {
    await engine(settings, ['rm', '--force', '--volumes', ...names]);
  } catch (error) {
    // It may have removed itself meanwhile.
    const left = await engine(settings, ['ps', '--all', '--quiet', '--filter', 'label=hefix=sandbox']);
    if (names.some(name => left.includes(name.slice(0, 12)))) throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
