import type { Examination, ExamineInput } from '../../../machines/actors.ts';
import type { Sandbox } from '../../core/ports.ts';
import { readEdits } from '../../edits/edit-answer.ts';
import { applyEdits } from '../../edits/edit-apply.ts';
import { definitionOf } from '../../prompt/extract.ts';
import { shownCode } from '../../prompt/fence.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { examine, examineExtraction } from './examine.ts';

/**
 * Inspects an answer in edits without running it: first whether the edits apply to the code as shown, then as
 * `examine` does. An answer without edits is treated as a whole function, which large models write regardless
 * of the requested form.
 */
export async function examineEdit(
  parser: SyntaxParser,
  sandbox: Pick<Sandbox, 'checkSyntax'>,
  input: ExamineInput,
  signal?: AbortSignal,
): Promise<Examination> {
  const { task, completion } = input;
  const edits = readEdits(completion);
  if (edits.length === 0) return await examine(parser, sandbox, input, signal);
  const applied = applyEdits(shownCode(task.buggy), edits);
  if ('notApplicable' in applied) {
    const verdict = { kind: 'edit-not-applicable', message: applied.notApplicable } as const;
    return { candidate: null, verdict, repeated: false, unchanged: false };
  }
  const candidate = `${applied.code}\n`;
  const definition = definitionOf(parser.statements(candidate), task.entryPoint);
  const extraction = definition
    ? ({ found: 'function', candidate, signature: definition.signature } as const)
    : ({ found: 'other-name', candidate, header: candidate.split('\n')[0] ?? '' } as const);
  return await examineExtraction(parser, sandbox, input, extraction, signal);
}
