import type { IsolationLevel } from '../../verdict.ts';
import type { Cell } from '../isolation/isolation.ts';
import type { HostProgram } from './host-pair.ts';

export interface NodeIsolationOptions {
  readonly isolation?: Exclude<IsolationLevel, 'docker'>;
  readonly requireIsolation?: boolean;
}

export interface NodeIsolation {
  readonly level: IsolationLevel;
  cell(program: HostProgram, limits: { memoryMiB: number; cpuSeconds: number }): Cell;
}

export async function detectNodeIsolation(_options: NodeIsolationOptions): Promise<NodeIsolation> {
  return {
    level: 'ulimit',
    cell: ({ argv: [file = '', ...args] }) => ({ file, args, env: {}, cwd: '/', release: async () => {} }),
  };
}
