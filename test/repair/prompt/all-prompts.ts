import { nodes } from '../../../lib/core/attempt.ts';
import {
  answerFormats,
  feedbacks,
  MAX_EXAMPLES,
  promptTemplates,
  protocols,
} from '../../../lib/core/choices.ts';
import { languages, type Task } from '../../../lib/core/task.ts';
import { bugPatterns } from '../../../lib/repair/prompt/bug-patterns.ts';
import type { LastAttempt } from '../../../lib/repair/prompt/prompts.ts';
import { draftPrompt, promptOf } from '../../../lib/repair/prompt/prompts.ts';
import { publishedPrompt } from '../../../lib/repair/prompt/published/published.ts';
import { runCodeTool, type ToolAttempt, toolPrompt } from '../../../lib/repair/prompt/tools.ts';
import { answeredIn, withExamples } from '../../../lib/repair/prompt/worked-examples/few-shot.ts';

/** The text of every prompt: each node, verdict, feedback, answer format, language and published protocol. */
export function allPrompts(): string {
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
      return withExamples(draft, language, MAX_EXAMPLES, answeredIn[answer]);
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
