import { z } from 'zod';
import { type AssertionCounts, assertionCountsSchema, verdictSchema } from '../../../core/verdict.ts';
import { parseJson } from '../../../files/parse-json.ts';

/**
 * A judge's final report: a verdict, `unproven` if the candidate's own code decided a comparison; invalid tests; or a
 * candidate's process that did not start.
 */
const reportSchema = z.union([
  z.strictObject({
    verdict: verdictSchema,
    unproven: z.literal(true).optional(),
    /** A second report with counts follows. */
    counting: z.literal(true).optional(),
  }),
  z.strictObject({ fault: z.string() }),
  z.strictObject({ broken: z.string() }),
]);
const countsSchema = z.strictObject({ counts: assertionCountsSchema });
export type JudgeReport = z.infer<typeof reportSchema>;

/** Sent once the time limit runs and the candidate may send data. */
const started = 'started';

/** For readReport. `onCounts` is called with a second report, if it can be read. */
export function reportParser(
  onCounts: (counts: AssertionCounts) => void,
): (body: Buffer) => JudgeReport | typeof started {
  let first: JudgeReport | undefined;
  return body => {
    const message = body.toString();
    if (message === started) return started;
    const json = parseJson(message);
    if (first) {
      const second = countsSchema.safeParse(json);
      if (second.success) onCounts(second.data.counts);
    } else
      first = reportSchema.safeParse(json).data ?? { broken: 'the judge sent a report that cannot be read' };
    return first;
  };
}
