import { z } from 'zod';

/**
 * How a candidate that passed compares with the task's reference on generated inputs. The tests decide whether a task
 * is solved; this is a separate figure.
 */
export const robustSchema = z.object({
  tried: z
    .number()
    .int()
    .nonnegative()
    .describe('inputs that both programs were called with; 0 if they could not be compared'),
  different: z.number().int().nonnegative().describe('inputs on which they did not do the same'),
  unchecked: z.string().optional().describe('why they could not be compared, a phrase; absent if they were'),
  first: z
    .object({
      call: z.string().describe('the call'),
      expected: z.string().describe('what the reference did'),
      actual: z.string().describe('what the solution did'),
    })
    .optional()
    .describe('the shortest of the inputs that tell them apart'),
});
export type Robust = z.infer<typeof robustSchema>;
