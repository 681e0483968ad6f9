import type { Execution, Sandbox } from '../../core/ports.ts';
import type { TestResult } from '../../core/project-tests.ts';
import type { Verdict } from '../../core/verdict.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { faultyLine } from '../project/check-sources.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { FileTask } from './function-task.ts';
import type { JudgeCandidate } from './tests-decide.ts';

/**
 * A sandbox that judges the candidates of one function, or of two, by the project's tests: those that failed first, then all. The
 * verdict is about the test that decides, so that an agent learns from it as from a task's tests.
 */
export function projectSandbox(
  { versionIn }: Pick<FileTask, 'versionIn'>,
  {
    parser,
    project,
    judge,
  }: {
    readonly parser: SyntaxParser;
    readonly project: Pick<OpenProject, 'isolation'>;
    readonly judge: JudgeCandidate;
  },
): Sandbox {
  const { isolation } = project;
  return {
    isolation,
    async checkSyntax(_, code) {
      const line = faultyLine(parser, code);
      return line === null ? null : { message: 'invalid syntax', line };
    },
    async execute({ candidate }) {
      const code = versionIn(candidate);
      const { isRepair, failure, counts } = await judge({ code, origin: 'sample' });
      const verdict: Verdict = isRepair ? { kind: 'passed', message: 'All tests pass.' } : verdictOf(failure);
      const execution: Execution = {
        ...{ verdict, isolation, judge: 'isolated', stdout: '', stderr: '' },
        ...{ droppedBytes: 0, exitCode: null, seconds: failure?.seconds ?? 0 },
        ...(counts && { counts }),
      };
      return execution;
    },
    close: async () => {},
  };
}

/** What a failing test says about a candidate; null if the tests could not be run with it. */
export function verdictOf(failure: TestResult | null): Verdict {
  if (failure === null) return { kind: 'raised', message: 'The tests cannot be run with it.' };
  const { id, timeout, type = '', message = '', test, expected, actual } = failure;
  const [said = ''] = message.split('\n');
  const known = {
    ...(test && { test }),
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  };
  if (timeout) return { kind: 'timeout', message: `${id} took too long.`, ...known };
  const isAssertion = type === '' || type.includes('Assertion') || expected !== undefined;
  if (isAssertion) return { kind: 'failed', message: said === '' ? `${id} fails.` : said, ...known };
  return { kind: 'raised', message: `${type}: ${said}`, exception: { type, message: said }, ...known };
}
