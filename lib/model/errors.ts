import { HefixError, reason } from '../core/errors.ts';
import { pathHint } from '../files/paths.ts';

export function modelFolderMissing(folder: string): HefixError {
  return new HefixError(
    'MODEL_FOLDER_MISSING',
    `There is no model folder ${folder}.`,
    pathHint(folder, CHECK_MODEL),
  );
}

export function modelFileMissing(folder: string, file: string): HefixError {
  return new HefixError('MODEL_FILE_MISSING', `The model folder ${folder} has no ${file}.`, MODEL_LAYOUT);
}

/** What a folder has in place of weights that hefix can read. */
export function modelFolderWithout(
  folder: string,
  why: 'pointer' | 'adapter' | 'pickled',
  file: string,
): HefixError {
  const { problem, help } = {
    pointer: {
      problem: `${file} is a pointer of Git LFS, not the file`,
      help: 'Run git lfs pull in the folder.',
    },
    adapter: {
      problem: `it has only an adapter (${file}), no model`,
      help: 'Merge the adapter into its base model, and name the folder of the result.',
    },
    pickled: {
      problem: `it has only pickled weights (${file})`,
      help: 'Save the model again as safetensors, or use an ONNX export.',
    },
  }[why];
  return new HefixError(
    'MODEL_FOLDER_UNUSABLE',
    `The model folder ${folder} cannot be used: ${problem}.`,
    help,
  );
}

/** `problem` ends the sentence: `is not JSON`, `hidden_size: expected number`. */
export function modelFileInvalid(file: string, problem: string, cause?: unknown): HefixError {
  return new HefixError(
    'MODEL_FILE_INVALID',
    `${file} cannot be used: ${problem}.`,
    'Download the file again.',
    cause,
  );
}

export function modelTokenizerInvalid(file: string, cause: unknown): HefixError {
  return new HefixError(
    'MODEL_TOKENIZER_INVALID',
    `hefix cannot read the tokenizer ${file}: ${reason(cause)}.`,
    'Download tokenizer.json again.',
    cause,
  );
}

export function modelVocabularyMismatch(file: string, largestId: number, vocabulary: number): HefixError {
  return new HefixError(
    'MODEL_VOCABULARY_MISMATCH',
    `${file} has token ids up to ${largestId}, but the model has ${vocabulary} tokens.`,
    'Use tokenizer.json and config.json of the same model.',
  );
}

export function modelTemplateFailed(file: string, cause: unknown): HefixError {
  return new HefixError(
    'MODEL_TEMPLATE_FAILED',
    `The chat template in ${file} could not be rendered: ${reason(cause)}.`,
    'Correct the template, or use an instruction-tuned model.',
    cause,
  );
}

export function modelTemplateEnded(file: string, mebibytes: number): HefixError {
  return new HefixError(
    'MODEL_TEMPLATE_FAILED',
    `The process that renders the chat template in ${file} ended; a template may use ${mebibytes} MiB of memory.`,
    'The file may be damaged or malicious: get the model from another source.',
  );
}

export function modelTextTimeout(model: string, seconds: number): HefixError {
  return new HefixError(
    'MODEL_TEXT_TIMEOUT',
    `The chat template or the tokenizer of ${model} did not finish one text within ${seconds} s.`,
    'Its files may be damaged or malicious: get the model from another source.',
  );
}

export function modelPromptTooLong(tokens: number, context: number): HefixError {
  return new HefixError(
    'MODEL_PROMPT_TOO_LONG',
    `The prompt has ${tokens} tokens, and the model's context of ${context} leaves no room for an answer.`,
    'Use a model with a longer context, or a shorter task.',
  );
}

export function modelPromptEmpty(model: string): HefixError {
  return new HefixError('MODEL_PROMPT_EMPTY', `The prompt for ${model} has no tokens.`, 'Add a message.');
}

export function modelLogitsInvalid(model: string, position: number): HefixError {
  return new HefixError(
    'MODEL_LOGITS_INVALID',
    `${model} computed logits that are not numbers at token ${position}.`,
    'Use another weight type of the model; float16 may overflow.',
  );
}

export function modelScriptEnded(model: string, completions: number): HefixError {
  return new HefixError(
    'MODEL_SCRIPT_ENDED',
    `${model} was asked for more than its ${completions} completions.`,
    'Add as many completions as the run requests.',
  );
}

export function modelArchitectureUnknown(
  file: string,
  architecture: string,
  architectures: readonly string[],
): HefixError {
  return new HefixError(
    'MODEL_ARCHITECTURE_UNKNOWN',
    `${file} has the architecture ${architecture}, for which hefix cannot build a graph.`,
    `Use an ONNX export of it, or a model with one of these architectures: ${architectures.join(', ')}.`,
  );
}

/** `feature`: a feature that the model needs: `sliding window attention`. */
export function modelConfigUnsupported(file: string, feature: string): HefixError {
  return new HefixError(
    'MODEL_CONFIG_UNSUPPORTED',
    `${file} asks for ${feature}, which the graphs that hefix builds do not support.`,
    'Use an ONNX export of the model.',
  );
}

export function modelNotBuilt(folder: string, cause: unknown): HefixError {
  return new HefixError(
    'MODEL_NOT_BUILT',
    `The graph could not be written to ${folder}: ${reason(cause)}.`,
    'Free some space, or set HEFIX_CACHE to another folder.',
    cause,
  );
}

export function modelBuilderEnded(model: string, how: string): HefixError {
  return new HefixError(
    'MODEL_BUILD_ENDED',
    `The process that builds the graph of ${model} ended before it was done (${how}).`,
    'Run the command again. If it was killed for lack of memory, end other programs, or use a smaller model.',
  );
}

const CHECK_MODEL =
  'Check --model: a bundled name, a hub id, a GGUF file, or a folder with config.json, tokenizer.json and weights.';

const MODEL_LAYOUT =
  "A model folder has the hub's files: config.json, tokenizer.json, onnx/model.onnx or model.safetensors.";

export function cacheNotWritable(folder: string, cause: unknown): HefixError {
  return new HefixError(
    'CACHE_NOT_WRITABLE',
    `Completions cannot be saved in ${folder}: ${reason(cause)}.`,
    'Set --cache to another folder.',
    cause,
  );
}

export function modelOnnxMissing(folder: string, wanted: string): HefixError {
  return new HefixError('MODEL_ONNX_MISSING', `The model folder ${folder} has no ${wanted}.`, MODEL_LAYOUT);
}

export function modelOnnxInvalid(file: string, cause: unknown): HefixError {
  return new HefixError(
    'MODEL_ONNX_INVALID',
    `${file} is damaged or not an ONNX model that onnxruntime can run: ${reason(cause)}.`,
    'Download it again, or use another export of the model.',
    cause,
  );
}

export function modelDataIncomplete(file: string, cause: unknown): HefixError {
  return new HefixError(
    'MODEL_DATA_INCOMPLETE',
    `The external data of ${file} is missing or cut short: ${reason(cause)}.`,
    'Download the .onnx_data files again and keep them in the same folder.',
    cause,
  );
}

/** `devices`: the devices that this build of onnxruntime supports. */
export function modelDeviceUnavailable(
  device: string,
  devices: readonly string[],
  cause: unknown,
): HefixError {
  return new HefixError(
    'MODEL_DEVICE_UNAVAILABLE',
    `onnxruntime cannot use the device ${device}: ${reason(cause)}.`,
    `Leave out --require-device to use the CPU, or install the device's driver and libraries; onnxruntime supports ${devices.join(', ')} on this system.`,
  );
}

/** `problem` ends the sentence: `has an input pixel_values`. */
export function modelGraphUnexpected(file: string, problem: string): HefixError {
  return new HefixError(
    'MODEL_GRAPH_UNEXPECTED',
    `hefix cannot run ${file} as a decoder with a key-value cache: it ${problem}.`,
    'Use an export for text generation with past key values.',
  );
}

export function telemetryNotDisabled(): HefixError {
  return new HefixError(
    'TELEMETRY_NOT_DISABLED',
    'No model was opened, because a worker thread cannot turn off the telemetry of onnxruntime.',
    'Start the process with ORT_DISABLE_TELEMETRY=1 in its environment, or set it in the main thread before the worker starts.',
  );
}

export function modelWorkerCrashed(model: string, cause: unknown): HefixError {
  return new HefixError(
    'MODEL_WORKER_CRASHED',
    `The thread that runs ${model} ended unexpectedly: ${reason(cause)}.`,
    'There may be too little memory: use a smaller model or weight type.',
    cause,
  );
}

export function modelClosed(model: string): HefixError {
  return new HefixError('MODEL_CLOSED', `${model} was used after it was closed.`, 'Open it again.');
}
