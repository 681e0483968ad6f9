import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Device } from '../core/choices.ts';
import type { Batching } from '../core/measurements.ts';
import type {
  BeamCompletion,
  BeamRequest,
  Completion,
  GenerateOptions,
  GenerateRequest,
  Message,
  ScoreRequest,
  Scores,
} from '../core/ports.ts';
import { seededRandom } from '../core/random.ts';
import {
  modelLogitsInvalid,
  modelPromptEmpty,
  modelPromptTooLong,
  modelVocabularyMismatch,
} from './errors.ts';
import { fingerprint } from './fingerprint.ts';
import { answerEnd } from './generate/answer-end.ts';
import { beamSearch } from './generate/beam-search.ts';
import { generateTokens } from './generate/generate-tokens.ts';
import { tokenTrie } from './generate/prefixes.ts';
import { createPromptLookup } from './generate/prompt-lookup.ts';
import { scoreAnswers } from './generate/score-answers.ts';
import { openModelFolder } from './model-folder.ts';
import { openBatchedDecoder } from './onnx/batched-passes.ts';
import { createPrefixStore } from './onnx/cache/prefix-store.ts';
import { openDecoder } from './onnx/decoder.ts';
import { type Logits, prefill, type Sequence } from './onnx/sequence.ts';
import type { WeightType } from './onnx/session.ts';
import { openChatTemplate } from './text/bounded-template.ts';
import { openPrompt, takesTools } from './text/chat-template.ts';
import type { TextGuard } from './text/text-guard.ts';
import { createTextStream, createTokenizer } from './text/tokenizer.ts';

export interface LanguageModelOptions {
  /** For error messages. */
  readonly name: string;
  readonly folder: string;
  readonly weightType: WeightType;
  readonly threads: number;
  readonly device: Device;
  /** Whether tokens are drafted from the prompt. */
  readonly lookup: boolean;
  /** How many requests are answered at once, if the model can batch their passes; defaults to 1. */
  readonly requests?: number;
  /** Folder for graphs that are optimised for the generation loop; null runs the model's own graph. */
  readonly graphs: string | null;
  /** Time limit for its chat template on one prompt; defaults to 30,000. */
  readonly textLimitMs?: number;
}

/** A model that runs in this thread: messages in, text out. */
export interface LanguageModel {
  readonly fingerprint: string;
  readonly nativeTools: boolean;
  /** How many requests to make at once; more would only wait. */
  readonly concurrency: number;
  readonly answer: 'whole' | 'edit';
  /** Languages it was trained on; unknown if omitted. */
  readonly languages?: readonly string[] | undefined;
  /** Tokens of a prompt and its answer together. */
  readonly contextLength: number;
  generate(request: GenerateRequest, options?: GenerateOptions): Promise<Completion>;
  beams(request: BeamRequest, options?: Interruptible): Promise<Untimed<BeamCompletion>>;
  score(request: ScoreRequest, options?: Interruptible): Promise<Untimed<Scores>>;
  release(): Promise<void>;
}

type Interruptible = Pick<GenerateOptions, 'signal'>;
/** Time measured by the caller. */
type Untimed<T> = Omit<T, 'seconds'>;

/**
 * Reads the folder and opens the graph. `guard` runs the folder's tokenizer; `onBatching` gets what is
 * known of batched passes as soon as it is. Throws the MODEL_ errors of its parts.
 */
export async function loadLanguageModel(
  options: LanguageModelOptions,
  guard: TextGuard = work => work(),
  onBatching: (batching: Batching) => void = () => {},
): Promise<LanguageModel> {
  const folder = await openModelFolder(options.folder, options.weightType);
  const { name } = options;
  const { config, endIds } = folder;
  const tokenizerFile = join(folder.path, 'tokenizer.json');
  const tokenizer = createTokenizer(folder.tokenizer, folder.tokenizerConfig, tokenizerFile, guard);
  if (tokenizer.largestId >= config.vocab_size) {
    throw modelVocabularyMismatch(tokenizerFile, tokenizer.largestId, config.vocab_size);
  }
  const { requests = 1 } = options;
  const opening = openChatTemplate(folder.chatTemplate, { ...options, omitsSystem: folder.omitsSystem });
  opening.catch(() => {});
  const open = async () =>
    (requests > 1 ? await openBatchedDecoder(folder.onnxFile, options, onBatching) : null) ??
    (await openDecoder(folder.onnxFile, config, options));
  const decoder = await open().catch(async error => {
    (await opening.catch(() => null))?.close();
    throw error;
  });
  const template = await opening.catch(async error => {
    await decoder.release();
    throw error;
  });
  const contextLength = config.max_position_embeddings;

  const promptOf = async (request: PromptRequest, signal: AbortSignal | undefined): Promise<Prompt> => {
    const { messages, tools, prefill = '', raw = false, thinking } = request;
    const text = raw
      ? messages.map(({ content }) => content).join('')
      : await template.render({ messages, tools, thinking }, signal);
    const ids = (raw ? tokenizer.encodeWhole : tokenizer.encode)(text + prefill);
    if (ids.length === 0) throw modelPromptEmpty(name);
    if (ids.length >= contextLength) throw modelPromptTooLong(ids.length, contextLength);
    return { ids, thought: raw ? '' : (/<think>\s*$/.exec(text)?.[0] ?? '') };
  };

  const prefixes = createPrefixStore(decoder.empty);
  const prompts = pLimit(1);

  /**
   * Calls `work` with the prompt's cache, which is then stored for the next prompt with the same beginning.
   */
  const after = async <T>(
    prompt: readonly number[],
    signal: AbortSignal | undefined,
    work: (sequence: Sequence, logits: Logits) => Promise<T>,
  ): Promise<T> => {
    // One prompt at a time: the next one may begin alike, and a long pass is no faster with more tokens.
    const { sequence, logits } = await prompts(async () => {
      const sequence = prefixes.take(prompt);
      try {
        return { sequence, logits: await prefill(sequence, prompt, signal) };
      } catch (error) {
        prefixes.put(sequence);
        throw error;
      }
    });
    try {
      return await work(sequence, logits);
    } finally {
      prefixes.put(sequence);
    }
  };
  const onInvalidLogits = (position: number) => modelLogitsInvalid(name, position);

  return {
    fingerprint: await fingerprint(folder),
    nativeTools: takesTools(folder.chatTemplate),
    concurrency: Math.min(requests, decoder.concurrency),
    answer: folder.answer,
    languages: folder.languages,
    contextLength,

    async generate(request, { signal, onText } = {}) {
      const { ids: prompt, thought } = await promptOf(request, signal);
      const stream = createTextStream(tokenizer.decode);
      const { stop = [], endAfter, prefill: begun = '' } = request;
      const asked = request.messages.map(({ content }) => content).join('\n');
      let text = '';
      const endOf = (text: string): number => {
        const ends = stop.map(one => text.indexOf(one));
        if (endAfter !== undefined) ends.push(answerEnd(endAfter, { before: begun, text, asked }));
        return ends.reduce((first, end) => (end !== -1 && (first === -1 || end < first) ? end : first), -1);
      };
      const emit = (piece: string): void => {
        text += piece;
        if (piece !== '') onText?.(piece);
      };
      // The marker separates a thought from the answer.
      if (begun === '') emit(thought);
      const { finish, newTokens, drafted, accepted } = await after(prompt, signal, (sequence, logits) =>
        generateTokens({
          sequence,
          logits,
          sampling: request,
          random: seededRandom(request.seed),
          endIds,
          maxNewTokens: Math.min(
            request.maxNewTokens,
            contextLength - prompt.length,
            Math.max(1, (request.maxLength ?? Infinity) - prompt.length),
          ),
          lookup: options.lookup ? createPromptLookup() : null,
          model: name,
          signal,
          onToken: id => emit(stream.push(id)),
          isOver: () => endOf(text) !== -1,
        }),
      );
      emit(stream.end());
      const cut = endOf(text);
      return {
        text: cut === -1 ? text : text.slice(0, cut),
        promptTokens: prompt.length,
        completionTokens: newTokens,
        finish,
        ...(drafted > 0 && { drafted, accepted }),
      };
    },

    async beams(request, { signal } = {}) {
      const { ids: prompt } = await promptOf(request, signal);
      const maxNewTokens = Math.min(request.maxNewTokens, contextLength - prompt.length);
      const { hypotheses, newTokens } = await after(prompt, signal, (sequence, logits) =>
        beamSearch({
          prompt: sequence,
          logits,
          beams: request.beams,
          maxNewTokens,
          endIds,
          outline: request.outline && tokenTrie(request.outline, tokenizer.encode),
          onInvalidLogits,
          signal,
        }),
      );
      return {
        beams: hypotheses.map(({ ids, logLikelihood }) => ({ text: tokenizer.decode(ids), logLikelihood })),
        promptTokens: prompt.length,
        completionTokens: newTokens,
      };
    },

    async score({ messages, answers, limit, continues = false }, { signal } = {}) {
      const render = (messages: readonly Message[]) => template.render({ messages }, signal);
      const prompt = continues
        ? tokenizer.encode(await openPrompt(render, messages))
        : (await promptOf({ messages }, signal)).ids;
      if (prompt.length === 0) throw modelPromptEmpty(name);
      const encoded = answers.map(tokenizer.encode);
      const longest = prompt.length + Math.max(0, ...encoded.map(({ length }) => length));
      if (longest >= contextLength) throw modelPromptTooLong(longest, contextLength);
      const { logLikelihoods, newTokens } = await after(prompt, signal, (sequence, logits) =>
        scoreAnswers({
          prompt: sequence,
          logits,
          answers: encoded,
          endIds: continues ? null : endIds,
          limit,
          onInvalidLogits,
          signal,
        }),
      );
      return { logLikelihoods, promptTokens: prompt.length, completionTokens: newTokens };
    },

    async release() {
      template.close();
      await decoder.release();
    },
  };
}

interface Prompt {
  readonly ids: readonly number[];
  /** The marker of a thought that the template opens; empty if it opens none. */
  readonly thought: string;
}

type PromptRequest = Pick<GenerateRequest, 'messages' | 'tools' | 'prefill' | 'raw' | 'thinking'>;
