import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { rowsToTasks } from '../../../dataset/columns.ts';
import { promptTemplates } from '../../../lib/core/choices.ts';
import { packageFile } from '../../../lib/files/package.ts';
import {
  publishedCandidate,
  publishedProgram,
} from '../../../lib/repair/prompt/published/published-answer.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

/**
 * Invented answers, and the programs that the harness makes of them; written by golden/harness/answers.py.
 */
const { rows, golden } = z
  .strictObject({
    rows: z.record(z.string(), z.unknown()),
    golden: z.array(
      z.strictObject({
        language: z.enum(['python', 'js']),
        format: z.enum(promptTemplates),
        mode: z.enum(['tests', 'docs']),
        programs: z.record(z.string(), z.string()),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(packageFile('test/repair/prompt/golden/harness/answers.json'), 'utf8')));

test.each(golden)(
  '$language answers in the format $format with $mode become the harness’s programs',
  async ({ language, format, mode, programs }) => {
    const parser = await openParser(language);
    const [task] = rowsToTasks('answers.json', [{ number: 1, value: rows[language] }], { language });
    if (!task) throw new Error('no task');
    const style = { protocol: `humanevalfix${mode}`, template: format } as const;
    const ours = Object.keys(programs).map(answer => {
      const candidate = publishedCandidate(parser, task, style, answer);
      // If hefix finds no code, the harness judges an empty program.
      return [
        answer,
        candidate?.replace(/\n$/, '') ?? (language === 'python' ? publishedProgram(language, '').trim() : ''),
      ];
    });
    expect(Object.fromEntries(ours)).toEqual(programs);
  },
);
