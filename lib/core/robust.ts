import { z } from 'zod';
import { count, text } from './fields.ts';

/**
 * How a candidate that passed compares with the task's reference on generated inputs. The tests decide whether a task
 * is solved; this is a separate figure.
 */
export const robustSchema = z.object({
  tried: count('inputs that both programs were called with; 0 if they could not be compared'),
  different: count('inputs on which they did not do the same'),
  unchecked: text('why they could not be compared, a phrase; absent if they were').optional(),
  first: z
    .object({
      call: text('the call'),
      expected: text('what the reference did'),
      actual: text('what the solution did'),
    })
    .optional()
    .describe('the shortest of the inputs that tell them apart'),
});
export type Robust = z.infer<typeof robustSchema>;
