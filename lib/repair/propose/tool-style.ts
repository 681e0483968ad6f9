import type { StyleOptions } from '../actors/actor-parts.ts';
import { examine } from '../actors/examine.ts';
import { readToolCall, toolCallText } from '../prompt/tool-call.ts';
import { answeredByCall, runCodeTool, toolPrompt } from '../prompt/tools.ts';
import { withExamples } from '../prompt/worked-examples/few-shot.ts';
import type { Style } from './propose.ts';

/** The agent `tools`: the model runs its code with a tool. */
export function toolStyle({ feedback, fewShot = 0 }: StyleOptions, nativeTools: boolean): Style {
  return {
    request({ task, attempts }) {
      const prompt = toolPrompt(task, attempts, { feedback, nativeTools });
      const messages = withExamples(prompt, task.language, fewShot, shown =>
        answeredByCall(shown, { nativeTools }),
      );
      return { messages, ...(nativeTools ? { tools: [runCodeTool(feedback)] } : {}) };
    },
    textOf: ({ text, toolCalls = [] }) => [text, ...toolCalls.map(toolCallText)].filter(Boolean).join('\n'),
    async examine(parser, sandbox, input, signal) {
      const call = readToolCall(input.completion);
      if ('code' in call) return await examine(parser, sandbox, { ...input, completion: call.code }, signal);
      const verdict = { kind: 'no-code', message: call.fault } as const;
      return { candidate: null, verdict, repeated: false, unchanged: false };
    },
  };
}
