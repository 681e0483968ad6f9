import { existsSync } from 'node:fs';
import type { IsolationLevel } from '../../core/verdict.ts';
import type { Jail } from '../../sandbox/isolation/isolation.ts';
import { preparePython } from '../../sandbox/python/host/python-programs.ts';
import { hostPython, type JailOptions, testJail } from './test-jail.ts';

/** How Node is started in a jail; Python closes the jail around it. */
export interface JailedNode {
  readonly isolation: IsolationLevel;
  readonly warning: string | null;
  /** @param executable programs, and folders of programs, that the tests may start */
  command(args: readonly string[], readable: readonly string[], executable: readonly string[]): Jail;
}

/**
 * @param root the project's folder
 * @throws HefixError (`PYTHON_MISSING`, `PYTHON_TOO_OLD`, `PYTHON_NOT_CPYTHON`, `ISOLATION_UNAVAILABLE`,
 * `ISOLATION_TOO_WEAK`)
 */
export async function jailedNode(root: string, options: JailOptions): Promise<JailedNode> {
  const { executable } = await preparePython(hostPython(root));
  const { isolation, limits, ...programs } = await testJail(executable, options);
  return {
    isolation: isolation.level,
    warning: isolation.warning,
    command(args, readable, executable) {
      const argv = [process.execPath, ...args];
      const jail = isolation.program(
        argv,
        [...readable.filter(existsSync), ...programs.readable],
        limits,
        programs.executable([], executable),
      );
      return programs.finding(jail, [process.execPath]);
    },
  };
}
