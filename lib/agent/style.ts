import type { Examination, ExamineInput, GenerateInput } from '../../machines/actors.ts';
import type { Completion, Message, Sandbox, Tool } from '../ports.ts';
import type { Feedback } from '../prompt/feedback.ts';
import { withExamples } from '../prompt/few-shot.ts';
import { promptOf } from '../prompt/prompts.ts';
import { readToolCall, toolCallText } from '../prompt/tool-call.ts';
import { answeredByCall, runCodeTool, toolPrompt } from '../prompt/tools.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import { examine } from './examine.ts';
import type { AgentName } from './machines.ts';

export interface StyleOptions {
  readonly agent: AgentName;
  readonly feedback: Feedback;
  /** Worked examples that each prompt begins with; none unless given. */
  readonly fewShot?: number;
}

/** How an agent speaks with its model: what is asked, and how the answer is read. */
export interface Style {
  messages(input: GenerateInput): readonly Message[];
  readonly tools: readonly Tool[] | undefined;
  /** The answer as one text, as it is recorded. */
  textOf(completion: Completion): string;
  examine(
    parser: SyntaxParser,
    sandbox: Pick<Sandbox, 'checkSyntax'>,
    input: ExamineInput,
    signal?: AbortSignal,
  ): Promise<Examination>;
}

/** `nativeTools`: the model takes tools as such. */
export function styleOf(options: StyleOptions, nativeTools: boolean): Style {
  return options.agent === 'tools' ? toolStyle(options, nativeTools) : codeStyle(options);
}

function codeStyle({ feedback, fewShot = 0 }: StyleOptions): Style {
  return {
    messages({ node, task, attempts }) {
      const prompt = promptOf(node, task, attempts.at(-1), { feedback });
      return withExamples(prompt, task.language, fewShot);
    },
    tools: undefined,
    textOf: ({ text }) => text,
    examine,
  };
}

function toolStyle({ feedback, fewShot = 0 }: StyleOptions, nativeTools: boolean): Style {
  return {
    messages({ task, attempts }) {
      const prompt = toolPrompt(task, attempts, { feedback, nativeTools });
      return withExamples(prompt, task.language, fewShot, shown => answeredByCall(shown, { nativeTools }));
    },
    tools: nativeTools ? [runCodeTool(feedback)] : undefined,
    textOf: ({ text, toolCalls = [] }) => [text, ...toolCalls.map(toolCallText)].filter(Boolean).join('\n'),
    async examine(parser, sandbox, input, signal) {
      const call = readToolCall(input.completion);
      if ('code' in call) return await examine(parser, sandbox, { ...input, completion: call.code }, signal);
      const verdict = { kind: 'no-code', message: call.fault } as const;
      return { candidate: null, verdict, repeated: false, unchanged: false };
    },
  };
}
