import type { Examination, ProposeInput } from '../../../machines/actors.ts';
import { indexToImprove } from '../../../machines/verdicts.ts';
import type { AgentName, AnswerFormat, Feedback, Protocol } from '../../core/choices.ts';
import type { Completion, GenerateRequest, Sandbox } from '../../core/ports.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { type AnswerInput, examine, examineCandidate, examineEdit, noCode } from '../actors/examine.ts';
import { protocolNeedsPrompt } from '../errors.ts';
import type { LastAttempt } from '../prompt/last-answer.ts';
import { promptOf } from '../prompt/prompts.ts';
import { type PromptTemplate, publishedPrompt, stopSequences } from '../prompt/published/published.ts';
import { publishedCandidate } from '../prompt/published/published-answer.ts';
import { readToolCall, toolCallText } from '../prompt/tool-call.ts';
import { answeredByCall, runCodeTool, toolPrompt } from '../prompt/tools.ts';
import { answeredIn, withExamples } from '../prompt/worked-examples/few-shot.ts';

/** The parts of a style that affect a request. */
type StyleRequest = Pick<GenerateRequest, 'messages' | 'tools' | 'prefill' | 'stop' | 'endAfter' | 'raw'>;

export interface StyleOptions {
  readonly agent: AgentName;
  readonly feedback: Feedback;
  /** Number of worked examples at the start of each prompt; defaults to none. */
  readonly fewShot?: number;
  /** Whether enumerated edits compete with whole functions. */
  readonly search?: { readonly joins?: boolean | undefined } | undefined;
  /** Defaults to the whole function; not used by the agent `tools` and by protocols. */
  readonly answer?: AnswerFormat | undefined;
  /** A published protocol instead of the agent's own prompts; requires the agent `one-shot`. */
  readonly protocol?: Protocol | undefined;
  /** Format of the protocol's prompt; defaults to `chat`. */
  readonly template?: PromptTemplate | undefined;
}

/** How an agent talks to its model: the prompts, and how answers are read. */
export interface Style {
  request(input: Pick<ProposeInput, 'task' | 'node' | 'attempts'>): StyleRequest;
  /** The answer as a single text for the record. */
  textOf(completion: Completion): string;
  examine(
    parser: SyntaxParser,
    sandbox: Pick<Sandbox, 'checkSyntax'>,
    input: AnswerInput,
    signal?: AbortSignal,
  ): Promise<Examination>;
}

/** `nativeTools`: the model supports tools natively. */
export function styleOf(options: StyleOptions, nativeTools: boolean): Style {
  if (options.protocol) return protocolStyle(options.protocol, options.template ?? 'chat');
  if (options.agent === 'search') return { ...codeStyle(options), examine: examineEdit };
  return options.agent === 'tools' ? toolStyle(options, nativeTools) : codeStyle(options);
}

function codeStyle({ feedback, fewShot = 0, answer = 'whole', search }: StyleOptions): Style {
  return {
    request({ node, task, attempts }) {
      const prompt = promptOf(node, task, shownAttempt(attempts, answer), { feedback, answer });
      const messages = withExamples(prompt, task.language, fewShot, answeredIn[answer]);
      return answer === 'whole' && node !== 'diagnose' ? { messages, endAfter: 'fence' } : { messages };
    },
    textOf: ({ text }) => text,
    examine: answer === 'edit' || search?.joins ? examineEdit : examine,
  };
}

/** What the prompt is about. Models that write edits are trained with their last answer. */
function shownAttempt(attempts: ProposeInput['attempts'], answer: AnswerFormat): LastAttempt | undefined {
  const last = attempts.at(-1);
  const index = indexToImprove(attempts);
  const best = attempts[index];
  if (answer === 'edit' || !best || best === last) return last;
  // The diagnosis was asked with the best attempt, and is part of the last.
  return { ...best, diagnosis: last?.diagnosis, later: attempts.length - 1 - index };
}

function toolStyle({ feedback, fewShot = 0 }: StyleOptions, nativeTools: boolean): Style {
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

function protocolStyle(protocol: Protocol, template: PromptTemplate): Style {
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
