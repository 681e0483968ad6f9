import type { Readable } from 'node:stream';
import { z } from 'zod';
import { type AssertionCounts, assertionCountsSchema, verdictSchema } from '../../../core/verdict.ts';
import { sandboxFailed } from '../../errors.ts';
import { readFrames } from '../../process/frames.ts';

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

/**
 * Resolves with the report; stays pending if none comes. `onStart` is called when the judge has started, `onCounts` with
 * a second report, if it can be read.
 */
export function readReport(
  stream: Readable,
  onStart: () => void,
  onCounts: (counts: AssertionCounts) => void = () => {},
): Promise<JudgeReport> {
  let isRead = false;
  return new Promise((resolve, reject) => {
    const read = (message: string) => {
      try {
        if (isRead) return onCounts(countsSchema.parse(JSON.parse(message)).counts);
        isRead = true;
        resolve(reportSchema.parse(JSON.parse(message)));
      } catch (error) {
        reject(sandboxFailed('the judge sent a report that cannot be read', error));
      }
    };
    readFrames(
      stream,
      body => (body.toString() === started ? onStart() : read(body.toString())),
      () => reject(sandboxFailed('the judge sent a report without an end')),
    );
  });
}
