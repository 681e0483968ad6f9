import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Verdict, verdictKinds } from '../../lib/core/verdict.ts';
import { packageFile } from '../../lib/files/package.ts';

/** A line of fixtures/attacks/programs. */
const programSchema = z.object({
  class: z.string(),
  kind: z.enum(['attack', 'honest']),
  name: z.string(),
  code: z.string(),
  tests: z.string(),
  entry_point: z.string(),
  declaration: z.string().default(''),
  /** Verdicts that are right for an attack; any but `passed` if not given. */
  verdicts: z.array(z.enum(verdictKinds)).optional(),
  /** What the verdict of an honest program that fails says. */
  verdict: z.custom<Partial<Verdict>>().optional(),
});

export type AttackProgram = z.infer<typeof programSchema>;

export function attackPrograms(language: 'python' | 'javascript'): AttackProgram[] {
  return readFileSync(packageFile(`fixtures/attacks/programs/${language}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => programSchema.parse(JSON.parse(line)));
}
