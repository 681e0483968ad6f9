import { z } from 'zod';
import { type Execution, judgeKinds } from '../core/ports.ts';
import { assertionCountsSchema, isolationLevels, verdictSchema } from '../core/verdict.ts';

export const judgeDescription =
  'How the verdict was reached. proven: cannot be forged; unproven: the code’s own comparison (such as __eq__) decided; isolated: the code shared a process with the tests and could forge it.';

/** A judged candidate, as tools report it. */
export const judgedSchema = z.object({
  passed: z.boolean(),
  verdict: verdictSchema,
  judge: z.enum(judgeKinds).describe(judgeDescription),
  isolation: z.enum(isolationLevels).describe('How the code was kept from the machine.'),
});

export const executionSchema = judgedSchema.extend({
  stdout: z.string().describe('What the code wrote, shortened.'),
  stderr: z.string(),
  droppedBytes: z.number().int().describe('Bytes of output that were dropped.'),
  exitCode: z.number().int().nullable().describe('Null if the code was still running.'),
  seconds: z.number(),
  counts: assertionCountsSchema
    .optional()
    .describe(
      'How many assertions of the tests hold, each tried on its own, and the first that fail; only for code that failed, and not in Rust.',
    ),
});

export function judged({ verdict, judge = 'proven', isolation }: Execution): z.infer<typeof judgedSchema> {
  return { passed: verdict.kind === 'passed', verdict, judge, isolation };
}

export function executed(execution: Execution): z.infer<typeof executionSchema> {
  const { stdout, stderr, droppedBytes, exitCode, counts } = execution;
  const seconds = Math.round(execution.seconds * 1000) / 1000;
  return { ...judged(execution), stdout, stderr, droppedBytes, exitCode, seconds, ...(counts && { counts }) };
}
