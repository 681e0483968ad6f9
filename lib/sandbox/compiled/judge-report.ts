import { z } from 'zod';
import { takeFrames } from './frames.ts';

/** A judge's report, read from its frames on descriptor 3; empty texts are left out. */
const reportSchema = z.object({
  /** `counted`: the message has the numbers of assertions that pass and fail, and lines that fail. */
  kind: z.enum(['started', 'passed', 'failed', 'raised', 'not-serializable', 'lost', 'invalid', 'counted']),
  /** Line of the tests, 1-based. */
  line: z.coerce.number().int().positive().optional(),
  /** The call in progress, or the call whose result was compared. */
  call: z.string().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  /** Set for an exception or a panic; `partial` if some counts are missing. */
  type: z.string().optional(),
  message: z.string().optional(),
  /** The candidate's line that raised, or the addresses of its code on the stack, innermost first. */
  exceptionLine: z
    .union([z.string().regex(/^0x[0-9a-f]+(?: 0x[0-9a-f]+)*$/), z.coerce.number().int().positive()])
    .optional(),
});
export type JudgeReport = z.infer<typeof reportSchema>;

const fields = Object.keys(reportSchema.shape);

/** For readReport. */
export function parseReport(frame: Buffer): JudgeReport | 'started' | null {
  const texts = takeFrames(frame).frames.map(text => text.toString('utf8'));
  const entries = fields.map((name, index) => [name, texts[index]]).filter(([, text]) => text);
  const parsed = reportSchema.safeParse(Object.fromEntries(entries));
  if (!parsed.success || texts.length !== fields.length) return null;
  return parsed.data.kind === 'started' ? 'started' : parsed.data;
}
