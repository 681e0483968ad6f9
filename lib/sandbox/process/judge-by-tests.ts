import type { ExecuteRequest, Execution } from '../../core/ports.ts';

/** That a judge of plain data found that the tests need more. */
export interface NeedsOneProcess {
  /** Continues "the tests". */
  readonly isolate: string;
}

/**
 * Judges with plain data or, if the tests need more, once more from the start in one process: the judge that found so
 * has decided nothing.
 */
export async function judgeByTests(
  request: ExecuteRequest,
  judge: (request: ExecuteRequest) => Promise<Execution | NeedsOneProcess>,
): Promise<Execution> {
  const first = await judge(request);
  const execution = 'isolate' in first ? await judge({ ...request, judge: 'isolated' }) : first;
  if ('isolate' in execution) throw new Error('A judge in one process needs another one.');
  return execution;
}
