import { isUnrunnable } from '../../machines/verdicts.ts';
import { type Node, nodes } from '../core/attempt.ts';
import { answerFormats, feedbacks, protocols } from '../core/choices.ts';
import type { Message } from '../core/ports.ts';
import { shortened } from '../core/printable.ts';
import { languages, type Task } from '../core/task.ts';
import { withoutThinking } from '../syntax/code-blocks.ts';
import { bugPatterns } from './bug-patterns.ts';
import type { PromptOptions } from './feedback.ts';
import { aboutLastAnswer, askAgain, type LastAttempt } from './last-answer.ts';
import { promptTemplates, publishedPrompt } from './published/published.ts';
import {
  draftPrompt,
  failureRemark,
  faultText,
  reflectPrompt,
  repeatPrompt,
  repeatRemark,
  syntaxPrompt,
} from './reflect-prompts.ts';
import { runCodeTool, type ToolAttempt, toolPrompt } from './tools.ts';
import { answeredIn, withExamples } from './worked-examples/few-shot.ts';
import { maxExamples } from './worked-examples/worked-examples.ts';

/** The prompt of a node; without a previous attempt it is the draft's. */
export function promptOf(
  node: Node,
  task: Task,
  last: LastAttempt | undefined,
  options: PromptOptions,
): readonly Message[] {
  if (node === 'draft' || !last) return draftPrompt(task, options);
  if (node === 'reflect') return reflectPrompt(task, last, options);
  if (node === 'repeat') return repeatPrompt(task, last, options);
  if (node === 'propose') return proposeAgainPrompt(task, last, options);
  if (node === 'diagnose') return diagnosePrompt(task, last, options);
  return syntaxPrompt(task, last, options);
}

/** The text of all prompts, to be hashed: runs with the same text are comparable. */
export function promptWording(): string {
  const verdicts: LastAttempt['verdict'][] = [
    null,
    { kind: 'failed', message: '', test: { line: 1, source: 't' }, expected: 'e', actual: 'a' },
    { kind: 'raised', message: '', exception: { type: 'E', message: 'm', line: 1 } },
    { kind: 'timeout', message: '' },
    { kind: 'memory', message: '' },
    { kind: 'exited', message: '' },
    { kind: 'no-code', message: '' },
    { kind: 'edit-not-applicable', message: 'm' },
    { kind: 'signature', message: '', expected: 'e', actual: 'a' },
    { kind: 'syntax', message: '', exception: { type: 'E', message: 'm', line: 1 } },
  ];
  const last = { candidate: 'c', completion: 'c' };
  const attempts: LastAttempt[] = [
    ...verdicts.map(verdict => ({ ...last, verdict })),
    ...[1, 2].map(line => ({ ...last, ...countedWording(line), later: line })),
  ];
  const prompts = attempts.flatMap(attempt =>
    nodes.flatMap(node =>
      feedbacks.flatMap(feedback =>
        answerFormats.map(answer => promptOf(node, wordingTask, attempt, { feedback, answer })),
      ),
    ),
  );
  const toolPrompts = verdicts.flatMap(verdict =>
    feedbacks.flatMap(feedback =>
      [true, false].flatMap(nativeTools => [
        runCodeTool(feedback),
        toolPrompt(wordingTask, wordingAttempts(verdict), { feedback, nativeTools }),
      ]),
    ),
  );
  const examples = languages.map(language => [
    bugPatterns(language),
    answerFormats.map(answer => {
      const draft = draftPrompt({ ...wordingTask, language }, { feedback: 'none', answer });
      return withExamples(draft, language, maxExamples, answeredIn[answer]);
    }),
  ]);
  const published = protocols.flatMap(protocol =>
    promptTemplates.map(template => publishedPrompt(wordingTask, protocol, template)),
  );
  return JSON.stringify([prompts, toolPrompts, examples, published]);
}

/** @param line that decides; the first that fails is 1 */
function countedWording(line: number): Pick<LastAttempt, 'verdict' | 'counts'> {
  const failing = [1, 2].map(each => ({ line: each, source: 't' }));
  return {
    verdict: { kind: 'failed', message: '', test: { line, source: 't' } },
    counts: { passed: 1, failed: 2, failing },
  };
}

function wordingAttempts(verdict: LastAttempt['verdict']): ToolAttempt[] {
  const call = '{"name": "run_code", "arguments": {"code": "c", "explanation": "e"}}';
  return ['c', call].flatMap(completion =>
    [true, false].map(repeated => ({ candidate: 'c', completion, verdict, repeated, unchanged: repeated })),
  );
}

const wordingTask: Task = {
  id: 'wording',
  language: 'python',
  entryPoint: 'f',
  declaration: 'def f(x):\n',
  docstring: 'd',
  buggy: 'def f(x):\n    return x\n',
  canonical: '',
  tests: '',
  exampleTests: 't',
  bugType: null,
  published: { prompt: 'p', declaration: 'd', tests: 't' },
};

/** Shows the failure and asks for its cause in a few sentences; the next prompt asks for the code. */
function diagnosePrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  return aboutLastAnswer(task, last, `${remark(task, last, options)}\n\n${ASK_WHY}`, options);
}

const ASK_WHY =
  'Do not write code yet. Say in at most three sentences what is wrong in it and what has to change.';

/** Shows the failure and the diagnosis, and asks for the function. */
function proposeAgainPrompt(task: Task, last: LastAttempt, options: PromptOptions): readonly Message[] {
  const diagnosis = shortened(withoutThinking(last.diagnosis?.completion ?? '').trim(), LONGEST);
  const parts = [
    remark(task, last, options),
    ...(diagnosis === '' ? [] : [`Diagnosis: ${diagnosis}`]),
    askAgain(task, options),
  ];
  return aboutLastAnswer(task, last, parts.join('\n\n'), options);
}

function remark(task: Task, last: LastAttempt, options: PromptOptions): string {
  if (isUnrunnable(last)) return faultText(task, last, options);
  return last.repeated ? repeatRemark(task, last, options) : failureRemark(task, last, options);
}

/** In characters: about three long sentences; a model that is asked for sentences may write a page. */
const LONGEST = 800;
