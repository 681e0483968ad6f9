import { join } from 'node:path';
import { modelPromptEmpty, modelPromptTooLong, modelVocabularyMismatch } from '../errors.ts';
import type { Completion, GenerateOptions, GenerateRequest } from '../ports.ts';
import { createChatTemplate, takesTools } from './chat-template.ts';
import { openDecoder } from './decoder.ts';
import { fingerprint } from './fingerprint.ts';
import { generateTokens } from './generate-tokens.ts';
import { openModelFolder } from './model-folder.ts';
import type { WeightType } from './onnx-file.ts';
import { seededRandom } from './random.ts';
import { createTextStream } from './text-stream.ts';
import { createTokenizer } from './tokenizer.ts';

export interface LanguageModelOptions {
  /** For errors. */
  readonly name: string;
  readonly folder: string;
  readonly weightType: WeightType;
  readonly threads: number;
}

/** A model that runs in this thread: messages to text. */
export interface LanguageModel {
  readonly fingerprint: string;
  readonly nativeTools: boolean;
  readonly answer: 'whole' | 'edit';
  generate(request: GenerateRequest, options?: GenerateOptions): Promise<Completion>;
  release(): Promise<void>;
}

/** Reads the folder, opens the graph. Throws the MODEL_ errors of its parts. */
export async function loadLanguageModel(options: LanguageModelOptions): Promise<LanguageModel> {
  const folder = await openModelFolder(options.folder, options.weightType);
  const { name } = options;
  const { config, endIds } = folder;
  const tokenizerFile = join(folder.path, 'tokenizer.json');
  const tokenizer = createTokenizer(folder.tokenizer, folder.tokenizerConfig, tokenizerFile);
  if (tokenizer.largestId >= config.vocab_size) {
    throw modelVocabularyMismatch(tokenizerFile, tokenizer.largestId, config.vocab_size);
  }
  const render = createChatTemplate(folder.chatTemplate);
  const decoder = await openDecoder(folder.onnxFile, config, options.threads);
  const contextLength = config.max_position_embeddings;

  const promptIds = ({ messages, tools, prefill = '', raw = false }: GenerateRequest): readonly number[] => {
    const prompt = raw
      ? tokenizer.encodeWhole(messages.map(({ content }) => content).join('') + prefill)
      : tokenizer.encode(render(messages, tools) + prefill);
    if (prompt.length === 0) throw modelPromptEmpty(name);
    if (prompt.length >= contextLength) throw modelPromptTooLong(prompt.length, contextLength);
    return prompt;
  };

  return {
    fingerprint: await fingerprint(folder),
    nativeTools: takesTools(folder.chatTemplate),
    answer: folder.answer,
    async generate(request, { signal, onText } = {}) {
      const prompt = promptIds(request);
      const stream = createTextStream(tokenizer.decode);
      const { stop = [] } = request;
      let text = '';
      const emit = (piece: string): void => {
        text += piece;
        if (piece !== '') onText?.(piece);
      };
      const { finish, newTokens } = await generateTokens(decoder, {
        prompt,
        sampling: request,
        random: seededRandom(request.seed),
        endIds,
        maxNewTokens: Math.min(request.maxNewTokens, contextLength - prompt.length),
        model: name,
        signal,
        onToken: id => emit(stream.push(id)),
        isOver: () => stop.some(end => text.includes(end)),
      });
      emit(stream.end());
      return { text: cutAt(text, stop), promptTokens: prompt.length, completionTokens: newTokens, finish };
    },
    release: () => decoder.release(),
  };
}

function cutAt(text: string, stops: readonly string[]): string {
  const ends = stops.map(stop => text.indexOf(stop)).filter(at => at !== -1);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}
