import type { Examination, ProposeInput } from '../../../machines/actors.ts';
import { indexToImprove } from '../../../machines/verdicts.ts';
import type { AgentName, AnswerFormat, Feedback, PromptTemplate, Protocol } from '../../core/choices.ts';
import type { Completion, GenerateRequest, Sandbox } from '../../core/ports.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { type AnswerInput, examine, examineEdit } from '../actors/examine.ts';
import type { LastAttempt } from '../prompt/last-answer.ts';
import { promptOf } from '../prompt/prompts.ts';

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

/** Prompts that ask for code, or for edits of it. */
export async function codeStyle(options: StyleOptions): Promise<Style> {
  const { agent, feedback, fewShot = 0, answer = 'whole', search } = options;
  const worked = fewShot > 0 ? await import('../prompt/worked-examples/few-shot.ts') : null;
  return {
    request({ node, task, attempts }) {
      const prompt = promptOf(node, task, shownAttempt(attempts, answer), { feedback, answer });
      const messages =
        worked?.withExamples(prompt, task.language, fewShot, worked.answeredIn[answer]) ?? prompt;
      return answer === 'whole' && node !== 'diagnose' ? { messages, endAfter: 'fence' } : { messages };
    },
    textOf: ({ text }) => text,
    examine: agent === 'search' || answer === 'edit' || search?.joins ? examineEdit : examine,
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
