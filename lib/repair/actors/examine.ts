import type { Examination, ExamineInput, ExecuteInput, Judgement } from '../../../machines/actors.ts';
import type { ExecuteRequest, Execution, Sandbox, SyntaxFault } from '../../core/ports.ts';
import { referenceOf, type Task } from '../../core/task.ts';
import type { Verdict } from '../../core/verdict.ts';
import { shownCode } from '../../syntax/code-blocks.ts';
import { applyEdits, readEdits } from '../../syntax/edits/edits.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { acceptsSameCalls } from '../../syntax/signature.ts';
import { definitionOf, type Extraction, extractCandidate } from '../prompt/extract.ts';
import { signatureText } from '../prompt/task-messages.ts';

/** An answer that has not been read. */
export type AnswerInput = Omit<ExamineInput, 'code'>;

/**
 * Inspects a completion without running it: does it contain a function, does it parse, does its signature
 * fit, is it new. A candidate that equals the buggy function counts as repeated but has no verdict, since it
 * was never run; the tests then say why it is wrong.
 */
export async function examine(
  parser: SyntaxParser,
  sandbox: Pick<Sandbox, 'checkSyntax'>,
  { task, completion, attempts }: AnswerInput,
  signal?: AbortSignal,
): Promise<Examination> {
  const extraction = extractCandidate(parser, task, completion);
  if (extraction.kind === 'nothing') {
    return { candidate: null, verdict: noCode(task), repeated: false, unchanged: false };
  }
  return await examineExtraction(parser, sandbox, { task, attempts }, extraction, signal);
}

/** The same for a candidate that was already extracted. */
export async function examineExtraction(
  parser: SyntaxParser,
  sandbox: Pick<Sandbox, 'checkSyntax'>,
  { task, attempts }: Pick<ExamineInput, 'task' | 'attempts'>,
  extraction: Exclude<Extraction, { kind: 'nothing' }>,
  signal?: AbortSignal,
): Promise<Examination> {
  const { candidate } = extraction;
  const fault = await sandbox.checkSyntax(task.language, candidate, signal, task.declaration);
  const verdict = fault ? syntaxVerdict(fault) : signatureVerdict(parser, task, extraction);
  if (verdict) {
    const repeated = attempts.some(attempt => attempt.candidate?.trim() === candidate.trim());
    return { candidate, verdict, repeated, unchanged: false };
  }
  const print = parser.fingerprint(candidate);
  const unchanged = print === parser.fingerprint(task.buggy);
  const earlier = attempts.find(
    attempt => attempt.candidate !== null && parser.fingerprint(attempt.candidate) === print,
  );
  if (earlier) return { candidate, verdict: earlier.verdict, repeated: true, unchanged };
  return { candidate, verdict: null, repeated: unchanged, unchanged };
}

/** The same for a candidate that needs no extraction and whose header is known. */
export async function examineCandidate(
  parser: SyntaxParser,
  sandbox: Pick<Sandbox, 'checkSyntax'>,
  { task }: Pick<ExamineInput, 'task'>,
  candidate: string,
  signal?: AbortSignal,
): Promise<Examination> {
  const fault = await sandbox.checkSyntax(task.language, candidate, signal, task.declaration);
  const verdict = fault ? syntaxVerdict(fault) : null;
  const definition = definitionOf(parser.statements(candidate), task.entryPoint);
  const buggy = definitionOf(parser.statements(task.buggy), task.entryPoint);
  const unchanged =
    !fault &&
    !!definition &&
    !!buggy &&
    parser.fingerprint(definition.text) === parser.fingerprint(buggy.text);
  return { candidate, verdict, repeated: unchanged, unchanged };
}

export function noCode(task: Task): Verdict {
  return { kind: 'no-code', message: `The completion holds no code of ${task.entryPoint}.` };
}

function syntaxVerdict({ message, line }: SyntaxFault): Verdict {
  return {
    kind: 'syntax',
    message: `Line ${line} does not parse: ${message}`,
    exception: { type: 'SyntaxError', message, line },
  };
}

function signatureVerdict(
  parser: SyntaxParser,
  task: Task,
  extraction: Exclude<Extraction, { kind: 'nothing' }>,
): Verdict | null {
  if (extraction.kind === 'other-name') {
    const expected = signatureText(task);
    const message = `The completion defines no ${task.entryPoint}.`;
    return { kind: 'signature', message, expected, actual: extraction.header };
  }
  const { signature } = extraction;
  const declared = definitionOf(parser.statements(task.buggy), task.entryPoint)?.signature;
  if (!declared || !signature) return null;
  const names = parser.argumentNames(`${task.tests}\n${task.exampleTests}`);
  if (acceptsSameCalls(declared, signature, names)) return null;
  const message = `${task.entryPoint} takes other parameters than declared.`;
  return { kind: 'signature', message, expected: signatureText(task), actual: signature.text };
}

/**
 * Inspects an answer in edits without running it: first whether the edits apply to the code as shown, then as
 * `examine` does. An answer without edits is treated as a whole function, which large models write regardless
 * of the requested form.
 */
export async function examineEdit(
  parser: SyntaxParser,
  sandbox: Pick<Sandbox, 'checkSyntax'>,
  input: AnswerInput,
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
  return await examineProgram(parser, sandbox, input, `${applied.code}\n`, signal);
}

/** The same for a program that was already read from its answer, or enumerated. */
export async function examineProgram(
  parser: SyntaxParser,
  sandbox: Pick<Sandbox, 'checkSyntax'>,
  input: Pick<ExamineInput, 'task' | 'attempts'>,
  candidate: string,
  signal?: AbortSignal,
): Promise<Examination> {
  const definition = definitionOf(parser.statements(candidate), input.task.entryPoint);
  const extraction = definition
    ? ({ kind: 'function', candidate, signature: definition.signature } as const)
    : ({ kind: 'other-name', candidate, header: candidate.split('\n')[0] ?? '' } as const);
  return await examineExtraction(parser, sandbox, input, extraction, signal);
}

/** Judges a candidate with tests in the sandbox; see `ExecuteRequest` for seed and counts. */
export async function judge(
  sandbox: Pick<Sandbox, 'execute'>,
  { task, candidate, suite }: ExecuteInput,
  settings: Pick<ExecuteRequest, 'seed' | 'judge' | 'counts'>,
  signal: AbortSignal,
): Promise<Judgement> {
  const { language, entryPoint, declaration } = task;
  const tests = suite === 'tests' ? task.tests : task.exampleTests;
  const reference = referenceOf(task);
  const request = { language, candidate, tests, entryPoint, declaration, reference, ...settings };
  return judgementOf(await sandbox.execute(request, signal));
}

/** The part of an execution that an attempt records. */
export function judgementOf(execution: Execution): Judgement {
  const { verdict, seconds, stdout, stderr, exitCode, judge, counts } = execution;
  const hasOutput = stdout !== '' || stderr !== '' || exitCode !== null;
  return {
    verdict,
    seconds,
    ...(counts && { counts }),
    ...(hasOutput && { output: { stdout, stderr, exit_code: exitCode } }),
    ...(judge !== undefined && judge !== 'proven' && { judge }),
  };
}
