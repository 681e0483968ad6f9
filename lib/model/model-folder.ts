import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { reason } from '../core/errors.ts';
import { readRegularText } from '../files/untrusted-file.ts';
import { modelFileInvalid, modelFileMissing, modelFolderMissing } from './errors.ts';
import {
  configSchema,
  type GenerationConfig,
  generationConfigSchema,
  HEFIX_CONFIG,
  hefixConfigSchema,
  MAX_TEXT_BYTES,
  type ModelConfig,
  type TokenizerConfig,
  templateFileSchema,
  tokenizerConfigSchema,
  tokenizerSchema,
} from './model-files.ts';
import { findOnnxFile, type WeightType } from './onnx/session.ts';
import type { ChatTemplateSource } from './text/chat-template.ts';

/** The validated contents of a model folder, without the weights. */
export interface ModelFolder {
  readonly path: string;
  readonly config: ModelConfig;
  /** The answer form that it was trained on. */
  readonly answer: 'whole' | 'edit';
  /** The languages that it was trained on; unknown if omitted. */
  readonly languages?: readonly string[] | undefined;
  /** Whether its template omits the system text on purpose. */
  readonly omitsSystem: boolean;
  /** Tokens that end the text. */
  readonly endIds: ReadonlySet<number>;
  readonly tokenizer: object;
  readonly tokenizerConfig: TokenizerConfig;
  readonly chatTemplate: ChatTemplateSource;
  /** The graph to run. */
  readonly onnxFile: string;
  /** The files whose contents determine the model's answers. */
  readonly textFiles: readonly string[];
}

/**
 * Reads a folder in the hub's layout: config.json, generation_config.json (optional), tokenizer.json,
 * tokenizer_config.json, chat_template.jinja (or chat_template.json, or a template in tokenizer_config.json),
 * onnx/model*.onnx or model*.onnx, and hefix.json (optional). Throws MODEL_FOLDER_MISSING, MODEL_FILE_MISSING,
 * MODEL_FILE_INVALID and MODEL_ONNX_MISSING.
 */
export async function openModelFolder(folder: string, weightType: WeightType = 'auto'): Promise<ModelFolder> {
  const path = resolve(folder);
  const stats = await stat(path).catch(() => null);
  if (!stats?.isDirectory()) throw modelFolderMissing(folder);

  const config = await readModelConfig(path);
  const { tokenizer, tokenizerConfig, chatTemplate } = await readModelTexts(path);
  const generationConfig = existsSync(join(path, 'generation_config.json'))
    ? await readJson(path, 'generation_config.json', generationConfigSchema)
    : {};
  const { answer, languages, omitsSystem } = existsSync(join(path, HEFIX_CONFIG))
    ? await readJson(path, HEFIX_CONFIG, hefixConfigSchema)
    : { answer: 'whole' as const, languages: undefined, omitsSystem: false };
  return {
    path,
    config,
    answer,
    languages,
    omitsSystem,
    endIds: endIds(generationConfig, config),
    tokenizer,
    tokenizerConfig,
    chatTemplate,
    onnxFile: await findOnnxFile(path, weightType),
    textFiles: [
      'config.json',
      'generation_config.json',
      'tokenizer.json',
      'tokenizer_config.json',
      SEPARATE_TEMPLATE,
      JSON_TEMPLATE,
      HEFIX_CONFIG,
    ].filter(file => existsSync(join(path, file))),
  };
}

/** Throws MODEL_FILE_MISSING and MODEL_FILE_INVALID. */
export async function readModelConfig(folder: string): Promise<ModelConfig> {
  return await readJson(folder, 'config.json', configSchema);
}

/** The files that turn messages into tokens. Throws MODEL_FILE_MISSING and MODEL_FILE_INVALID. */
export async function readModelTexts(
  folder: string,
): Promise<Pick<ModelFolder, 'tokenizer' | 'tokenizerConfig' | 'chatTemplate'>> {
  const tokenizer = await readJson(folder, 'tokenizer.json', tokenizerSchema);
  const tokenizerConfig = await readJson(folder, 'tokenizer_config.json', tokenizerConfigSchema);
  return { tokenizer, tokenizerConfig, chatTemplate: await readChatTemplate(folder, tokenizerConfig) };
}

const SEPARATE_TEMPLATE = 'chat_template.jinja';
/** The template of processors, which transformers wrote before. */
const JSON_TEMPLATE = 'chat_template.json';

async function readJson<Schema extends z.ZodType>(
  folder: string,
  file: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const path = join(folder, file);
  if (!existsSync(path)) throw modelFileMissing(folder, file);
  const text = await readText(path);
  const checked = schema.safeParse(parsed(path, text));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const field = issue?.path.join('.');
  throw modelFileInvalid(path, `${field ? `${field}: ` : ''}${issue?.message ?? 'unexpected content'}`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readRegularText(path, MAX_TEXT_BYTES);
  } catch (cause) {
    throw modelFileInvalid(path, `it cannot be read: ${reason(cause)}`, cause);
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw modelFileInvalid(path, 'it is not JSON', cause);
  }
}

/** generation_config.json takes precedence, as in transformers; config.json is the fallback. */
function endIds(generation: GenerationConfig, config: ModelConfig): ReadonlySet<number> {
  return new Set([generation.eos_token_id ?? config.eos_token_id ?? []].flat());
}

/**
 * The separate files take precedence over tokenizer_config.json, and the template named `default` over
 * others.
 */
async function readChatTemplate(folder: string, config: TokenizerConfig): Promise<ChatTemplateSource> {
  const specialTokens = namedTokens(config);
  const separate = join(folder, SEPARATE_TEMPLATE);
  if (existsSync(separate)) return { text: await readText(separate), file: separate, specialTokens };
  const template = existsSync(join(folder, JSON_TEMPLATE))
    ? (await readJson(folder, JSON_TEMPLATE, templateFileSchema)).chat_template
    : config.chat_template;
  const text =
    typeof template === 'string' ? template : template?.find(({ name }) => name === 'default')?.template;
  if (text === undefined) throw modelFileMissing(folder, 'chat template');
  const file = existsSync(join(folder, JSON_TEMPLATE)) ? JSON_TEMPLATE : 'tokenizer_config.json';
  return { text, file: join(folder, file), specialTokens };
}

function namedTokens(config: TokenizerConfig): Record<string, string> {
  const names = ['bos_token', 'eos_token', 'pad_token', 'unk_token'] as const;
  return Object.fromEntries(
    names.flatMap(name => {
      const token = config[name];
      if (token === null || token === undefined) return [];
      return [[name, typeof token === 'string' ? token : token.content]];
    }),
  );
}
