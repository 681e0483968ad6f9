import type { PromptTemplate, Protocol } from '../../core/choices.ts';
import { HefixError } from '../../core/errors.ts';
import { examineCandidate, noCode } from '../actors/examine.ts';

import { publishedPrompt, stopSequences } from '../prompt/published/published.ts';
import { publishedCandidate } from '../prompt/published/published-answer.ts';
import type { Style } from './propose.ts';

/** Prompts and answers of a published protocol. */
export function protocolStyle(protocol: Protocol, template: PromptTemplate): Style {
  return {
    request({ task }) {
      const prompt = publishedPrompt(task, protocol, template);
      if (prompt === null) throw protocolNeedsPrompt(task.id, protocol);
      const { messages, prefill, raw } = prompt;
      // An answer that starts from scratch may contain them before its end.
      const isBegun = raw || prefill !== '';
      const stop = isBegun ? { stop: stopSequences(task.language, template) } : {};
      // Text after the body is removed from the candidate anyway.
      const endAfter =
        isBegun && !template.startsWith('diff') && task.language === 'python'
          ? ({ endAfter: 'body' } as const)
          : {};
      return {
        messages,
        ...stop,
        ...endAfter,
        ...(raw ? { raw } : {}),
        ...(prefill === '' ? {} : { prefill }),
      };
    },
    textOf: ({ text }) => text,
    async examine(parser, sandbox, input, signal) {
      const { task, completion } = input;
      const candidate = publishedCandidate(parser, task, { protocol, template }, completion);
      if (candidate !== null) return await examineCandidate(parser, sandbox, input, candidate, signal);
      return { candidate: null, verdict: noCode(task), repeated: false, unchanged: false };
    },
  };
}

/** The dataset lacks the column `prompt`, the declaration with its docstring. */
export function protocolNeedsPrompt(task: string, protocol: string): HefixError {
  return new HefixError(
    'PROTOCOL_NEEDS_PROMPT',
    `${protocol} shows the declaration with its docstring, which ${task} does not have.`,
    'Use a dataset with the column prompt, such as HumanEvalPack, or --prompt humanevalfixtests.',
  );
}
