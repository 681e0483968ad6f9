/**
 * Every error that a user can cause or act on: one sentence says what is wrong and where, another what to do.
 * Each error is one function in this file, so that all sentences can be read together. Codes are stable;
 * scripts may rely on them.
 */
export class HefixError extends Error {
  override readonly name = 'HefixError';
  /** Stable, upper case: `DATASET_COLUMN_MISSING`. */
  readonly code: string;
  /** What to do about it. */
  readonly hint: string;

  constructor(code: string, message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }
}

// Options and commands

export function optionInvalid(option: string, value: unknown, expected: string): HefixError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  const given = value === true ? 'was given' : `is ${shown}`;
  return new HefixError('OPTION_INVALID', `${option} ${given}, expected ${expected}.`, SEE_HELP);
}

/** Two options, or an option and another option's value, that exclude each other. */
export function optionConflict(option: string, other: string, hint = 'Leave one of them out.'): HefixError {
  return new HefixError('OPTION_INVALID', `${option} and ${other} cannot be combined.`, hint);
}

/** An option that requires another. */
export function optionNeeds(option: string, other: string): HefixError {
  return new HefixError('OPTION_INVALID', `${option} requires ${other}.`, SEE_HELP);
}

export function optionMissingValue(option: string): HefixError {
  return new HefixError('OPTION_VALUE_MISSING', `${option} needs a value.`, SEE_HELP);
}

/** `first`: how the option was written before, where it has several names. */
export function optionRepeated(option: string, first = option): HefixError {
  const message =
    option === first
      ? `${option} was given more than once.`
      : `${first} and ${option} are the same option, which was given more than once.`;
  return new HefixError('OPTION_REPEATED', message, 'Give it once.');
}

export function optionRequired(option: string, command: string): HefixError {
  return new HefixError('OPTION_REQUIRED', `hefix ${command} needs ${option}.`, SEE_HELP);
}

/** `nearest` is a known option, or a sentence about the command that has it. */
export function optionUnknown(option: string, nearest: string | undefined): HefixError {
  return new HefixError('OPTION_UNKNOWN', `There is no option ${option}.`, didYouMean(nearest));
}

export function optionOfAnother(option: string, command: string, owners: readonly string[]): HefixError {
  return new HefixError(
    'OPTION_UNKNOWN',
    `hefix ${command} has no option ${option}.`,
    `It is an option of ${owners.map(owner => `hefix ${owner}`).join(', ')}.`,
  );
}

export function commandUnknown(command: string, nearest: string | undefined): HefixError {
  return new HefixError('COMMAND_UNKNOWN', `There is no command ${command}.`, didYouMean(nearest));
}

/** `option`: the option whose value the argument looks like. */
export function argumentIsValue(argument: string, option: string): HefixError {
  return new HefixError(
    'COMMAND_UNKNOWN',
    `There is no command ${argument}.`,
    `Did you mean ${option} ${argument}?`,
  );
}

export function completionShellUnknown(shell: string, known: readonly string[]): HefixError {
  return new HefixError(
    'SHELL_UNKNOWN',
    `There is no completion for the shell ${JSON.stringify(shell)}.`,
    `Choose one of ${known.join(', ')}.`,
  );
}

export function configInvalid(path: string, what: string, nearest?: string): HefixError {
  const hint = nearest === undefined ? 'See hefix --help --all for the options.' : `Did you mean ${nearest}?`;
  return new HefixError('CONFIG_INVALID', `${path} ${what}.`, hint);
}

/** For an option that a folder's own files may not set. */
export function folderNotTrusted(path: string, option: string): HefixError {
  return new HefixError(
    'FOLDER_NOT_TRUSTED',
    `${path} sets ${option}, which the files of a folder may set only after hefix trust.`,
    `Check the file and run hefix trust in its folder, or give ${option} yourself.`,
  );
}

export function trustNeedsTerminal(): HefixError {
  return new HefixError(
    'TRUST_NEEDS_TERMINAL',
    'hefix trust asks for confirmation, and standard input is no terminal.',
    'Run it yourself in a terminal; scripts can give options on the command line.',
  );
}

/** For an argument that is not one of those in `usage`. */
export function argumentUnknown(argument: string, command: string, usage: string): HefixError {
  const message = `hefix ${command} takes ${usage}, but was given ${JSON.stringify(argument)}.`;
  return new HefixError('ARGUMENT_UNEXPECTED', message, SEE_HELP);
}

/** `usage`: the command's arguments; undefined if it takes none. `option`: the option whose value the argument looks like. */
export function argumentUnexpected(
  argument: string,
  command: string,
  usage?: string,
  option?: string,
): HefixError {
  return new HefixError(
    'ARGUMENT_UNEXPECTED',
    `hefix ${command} takes ${usage ?? 'no argument'}, but was given ${JSON.stringify(argument)}${usage ? ' too' : ''}.`,
    didYouMean(option && `${option} ${argument}`),
  );
}

export function argumentMissing(command: string, usage: string): HefixError {
  return new HefixError('ARGUMENT_MISSING', `hefix ${command} needs ${usage}.`, SEE_HELP);
}

export function fileNotReadable(option: string, path: string, cause: unknown): HefixError {
  return new HefixError(
    'FILE_NOT_READABLE',
    `${path} cannot be read: ${reason(cause)}.`,
    `Give a file that exists with ${option}.`,
    cause,
  );
}

/** The command line names the command: `See hefix run --help.` */
const SEE_HELP = 'See hefix help.';

function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? SEE_HELP : `Did you mean ${nearest}?`;
}

// Code to repair

/** `known`: the functions and classes that the code defines. */
export function codeWithoutFunction(known: readonly string[]): HefixError {
  return known.length === 0
    ? new HefixError(
        'CODE_WITHOUT_FUNCTION',
        'The code defines no function.',
        'Give the whole function, and its language.',
      )
    : new HefixError(
        'CODE_WITHOUT_FUNCTION',
        `The tests use no function that the code defines: ${known.join(', ')}.`,
        'Name the broken function with entryPoint.',
      );
}

export function entryPointUnknown(name: string, nearest: string | undefined): HefixError {
  return new HefixError(
    'ENTRY_POINT_UNKNOWN',
    `The code defines no function ${name}.`,
    nearest === undefined ? 'Check its name.' : `Did you mean ${nearest}?`,
  );
}

// Samples to score

export function samplesNotReadable(path: string, cause: unknown): HefixError {
  return new HefixError(
    'SAMPLES_NOT_READABLE',
    `${path} cannot be read: ${reason(cause)}.`,
    'Check the path.',
    cause,
  );
}

export function samplesEmpty(path: string): HefixError {
  return new HefixError(
    'SAMPLES_EMPTY',
    `${path} holds no samples.`,
    'Give a file with at least one sample.',
  );
}

/** `where`: `line 3`, or `task 3, sample 0`; null if it is the whole file. */
export function samplesInvalid(path: string, where: string | null, what: string): HefixError {
  return new HefixError(
    'SAMPLES_INVALID',
    `${path}${where === null ? '' : `, ${where},`} ${what}.`,
    'Give JSON Lines with task_id and either completion or solution, or a generations.json: a list of lists of programs.',
  );
}

export function samplesUnknownTask(
  path: string,
  line: number,
  id: string,
  dataset: string,
  nearest: string | undefined,
): HefixError {
  return new HefixError(
    'SAMPLES_UNKNOWN_TASK',
    `${path}, line ${line}, is for the task ${JSON.stringify(id)}, which ${dataset} does not have.`,
    nearest === undefined ? 'Choose its dataset with --dataset and --lang.' : `Did you mean ${nearest}?`,
  );
}

/** A generations.json names no tasks: it must have one list a task. */
export function generationsIncomplete(path: string, index: number): HefixError {
  return new HefixError(
    'GENERATIONS_INCOMPLETE',
    `${path} has no record of task ${index + 1} of its dataset.`,
    'generations.json identifies tasks by position: run all tasks, or the first ones with --ts.',
  );
}

export function samplesCount(path: string, lists: number, tasks: number, dataset: string): HefixError {
  return new HefixError(
    'SAMPLES_COUNT',
    `${path} holds samples of ${lists} tasks, but ${tasks} tasks of ${dataset} are selected.`,
    lists < tasks
      ? `Add --limit ${lists} if it holds the first ones.`
      : 'Choose its dataset with --dataset and --lang.',
  );
}

// Datasets

export function datasetUnknown(name: string, nearest: string | undefined): HefixError {
  return new HefixError(
    'DATASET_UNKNOWN',
    `There is no dataset named ${JSON.stringify(name)}.`,
    nearest === undefined ? 'hefix verify --help names the bundled ones.' : `Did you mean ${nearest}?`,
  );
}

/** A repository on the hub without a file that hefix can read. */
export function datasetNoFiles(id: string): HefixError {
  return new HefixError(
    'DATASET_NO_FILES',
    `${id} has no .parquet, .jsonl or .jsonl.gz file, neither on main nor converted by the hub.`,
    'Choose another dataset, or convert it and give the file with --dataset-path.',
  );
}

export function datasetLanguageMissing(id: string, wanted: string, found: readonly string[]): HefixError {
  return new HefixError(
    'DATASET_LANGUAGE',
    `${id} has no ${wanted} tasks; it has ${found.join(', ')}.`,
    `Choose with --lang ${found[0] ?? ''}.`,
  );
}

/** `choices`: the first file of each table. */
export function datasetAmbiguous(id: string, choices: readonly string[]): HefixError {
  const more = choices.length > 4 ? ` and ${choices.length - 4} more` : '';
  return new HefixError(
    'DATASET_AMBIGUOUS',
    `${id} has several sets of rows: ${choices.slice(0, 4).join(', ')}${more}.`,
    'Download the one you want and give its path with --dataset-path.',
  );
}

export function datasetNotFound(path: string): HefixError {
  return new HefixError('DATASET_NOT_FOUND', `There is no dataset file ${path}.`, 'Check the path.');
}

/** Its fingerprint is not the manifest's, so its tasks may differ. */
export function datasetChanged(name: string): HefixError {
  return new HefixError(
    'DATASET_CHANGED',
    `The dataset ${name} has changed since the run.`,
    'Give the version that the run used.',
  );
}

export function datasetNotReadable(path: string, cause: unknown): HefixError {
  return new HefixError(
    'DATASET_NOT_READABLE',
    `${path} cannot be read: ${reason(cause)}.`,
    'Check the path.',
    cause,
  );
}

export function datasetExtension(path: string, known: readonly string[]): HefixError {
  return new HefixError(
    'DATASET_EXTENSION',
    `hefix cannot read tasks from ${path}: it does not know this kind of file.`,
    `Give a file whose name ends in ${known.join(', ')}.`,
  );
}

export function datasetEmpty(path: string): HefixError {
  return new HefixError('DATASET_EMPTY', `${path} holds no tasks.`, 'Give a file with at least one row.');
}

export function datasetTooLarge(path: string, what: string, limit: string): HefixError {
  return new HefixError(
    'DATASET_TOO_LARGE',
    `${path} has ${what}, more than the ${limit} that hefix reads.`,
    'Split it into smaller files.',
  );
}

/** The file's format does not match its extension, or it is damaged. */
export function datasetCorrupt(path: string, what: string, cause?: unknown): HefixError {
  return new HefixError('DATASET_CORRUPT', `${path} ${what}.`, 'Download or write the file again.', cause);
}

export function datasetJson(path: string, line: number, what: string): HefixError {
  return new HefixError(
    'DATASET_JSON',
    `${path}, line ${line}, is not a JSON object: ${what}.`,
    'Correct or remove that line.',
  );
}

/** `suggested`: the value of `--columns` that fits the row; null if none is known. */
export function datasetColumnMissing(
  path: string,
  row: number,
  columns: readonly string[],
  suggested: string | null,
): HefixError {
  return new HefixError(
    'DATASET_COLUMN_MISSING',
    `${path}, row ${row}, has no column${columns.length === 1 ? '' : 's'} ${columns.join(', ')}.`,
    suggested === null
      ? 'Rows need the columns of HumanEvalPack; --columns maps other names, such as --columns test=test_code.'
      : `Rows need the columns of HumanEvalPack. To map them, add --columns ${suggested}`,
  );
}

/** A row without a declaration whose program does not define the entry point. */
export function datasetNoDeclaration(path: string, row: number, entryPoint: string): HefixError {
  return new HefixError(
    'DATASET_COLUMN_MISSING',
    `${path}, row ${row}, has no column declaration, and its buggy_solution does not define ${entryPoint}.`,
    'Give a declaration (imports, helpers and the header) with a body, or a whole program as buggy_solution.',
  );
}

export function solutionMissing(dataset: string, taskId: string): HefixError {
  return new HefixError(
    'DATASET_COLUMN_MISSING',
    `${dataset} has no canonical_solution for ${taskId}.`,
    'verify needs the correct solution of every task; --columns canonical_solution=… names its column.',
  );
}

export function columnsInvalid(value: string, columns: readonly string[]): HefixError {
  return optionInvalid(
    '--columns',
    value,
    `pairs such as test=test_code, with ${columns.join(', ')} on the left`,
  );
}

export function datasetColumnType(path: string, row: number, column: string, problem: string): HefixError {
  return new HefixError(
    'DATASET_COLUMN_TYPE',
    `${path}, row ${row}, column ${column}, ${problem}.`,
    'Rows need the columns of HumanEvalPack, all of them strings.',
  );
}

export function datasetDuplicateId(path: string, row: number, id: string, first: number): HefixError {
  return new HefixError(
    'DATASET_DUPLICATE_ID',
    `${path}, row ${row}, has the task_id ${JSON.stringify(id)} of row ${first}.`,
    'Give every task its own id.',
  );
}

export function datasetLanguage(path: string, row: number, found: string, wanted: string): HefixError {
  return new HefixError(
    'DATASET_LANGUAGE',
    `${path}, row ${row}, is a ${found} task where ${wanted} was expected.`,
    `Give --lang ${found}, or a file of ${wanted} tasks.`,
  );
}

// Models

export function modelFolderMissing(folder: string): HefixError {
  return new HefixError('MODEL_FOLDER_MISSING', `There is no model folder ${folder}.`, CHECK_MODEL);
}

/** A GGUF file that is not there. */
export function modelFileUnknown(file: string): HefixError {
  return new HefixError('MODEL_UNKNOWN', `There is no model file ${file}.`, 'Give the path of a GGUF file.');
}

export function modelFileAmbiguous(folder: string, files: number): HefixError {
  return new HefixError(
    'MODEL_FILE_AMBIGUOUS',
    `The model folder ${folder} has ${files} GGUF files.`,
    'Give the path of one of them with --model.',
  );
}

export function modelNotInOllama(name: string, store: string): HefixError {
  return new HefixError(
    'MODEL_UNKNOWN',
    `Ollama has no model ${name} in ${store}.`,
    'hefix models lists the models there; OLLAMA_MODELS names another folder.',
  );
}

export function modelTypeNotBuilt(file: string, weightType: string): HefixError {
  return new HefixError(
    'MODEL_TYPE_NOT_BUILT',
    `hefix cannot build ${weightType} from ${file}.`,
    'Give --dtype auto, fp32, q8, q4, q4-128 or w8a8.',
  );
}

/** For a machine that must not download models. @param pull the command that does; null for a folder */
export function modelNotLocal(model: string, pull: string | null): HefixError {
  return new HefixError(
    'MODEL_NOT_LOCAL',
    `The model ${model} is not on this machine.`,
    pull === null
      ? 'Copy it to this machine, and name it with --model.'
      : `Fetch it with ${pull}, or name its folder with --model.`,
  );
}

export function modelFileMissing(folder: string, file: string): HefixError {
  return new HefixError('MODEL_FILE_MISSING', `The model folder ${folder} has no ${file}.`, MODEL_LAYOUT);
}

/** `what` ends the sentence: `is not JSON`, `hidden_size: expected number`. */
export function modelFileInvalid(file: string, what: string, cause?: unknown): HefixError {
  return new HefixError(
    'MODEL_FILE_INVALID',
    `${file} cannot be used: ${what}.`,
    'Download the file again.',
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

/** `known`: the devices that this build of onnxruntime supports. */
export function modelDeviceUnavailable(device: string, known: readonly string[], cause: unknown): HefixError {
  return new HefixError(
    'MODEL_DEVICE_UNAVAILABLE',
    `onnxruntime cannot use the device ${device}: ${reason(cause)}.`,
    `Leave out --require-device to use the CPU, or install the device's driver and libraries; onnxruntime supports ${known.join(', ')} on this system.`,
  );
}

/** `what` ends the sentence: `has an input pixel_values`. */
export function modelGraphUnexpected(file: string, what: string): HefixError {
  return new HefixError(
    'MODEL_GRAPH_UNEXPECTED',
    `hefix cannot run ${file} as a decoder with a key-value cache: it ${what}.`,
    'Use an export for text generation with past key values.',
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

export function modelScriptInvalid(path: string, line: number, what: string, cause?: unknown): HefixError {
  return new HefixError(
    'MODEL_SCRIPT_INVALID',
    `The script ${path} cannot be replayed: line ${line}: ${what}.`,
    'Give a JSONL file of {"when": "def f(", "completions": ["…"]} with --model.',
    cause,
  );
}

export function modelScriptNoMatch(model: string): HefixError {
  return new HefixError(
    'MODEL_SCRIPT_NO_MATCH',
    `No line of the script ${model} matches this request.`,
    'Add a line whose "when" occurs in the messages.',
  );
}

export function modelScriptEnded(model: string, completions: number): HefixError {
  return new HefixError(
    'MODEL_SCRIPT_ENDED',
    `${model} was asked for more than its ${completions} completions.`,
    'Add as many completions as the run requests.',
  );
}

export function modelWithoutBeams(model: string): HefixError {
  return new HefixError(
    'MODEL_WITHOUT_BEAMS',
    `${model} does not report the likelihoods of its tokens, which beam search needs.`,
    'Leave out --beams, or use a local model.',
  );
}

// Models: the hub

export function modelUnknown(name: string, bundled: readonly string[]): HefixError {
  return new HefixError(
    'MODEL_UNKNOWN',
    `${JSON.stringify(name)} is not a model: neither a bundled name, a folder nor a hub id.`,
    `Give a folder, an id like Qwen/Qwen2.5-Coder-0.5B-Instruct${bundled.length ? `, or one of: ${bundled.join(', ')}` : ''}.`,
  );
}

export function hubIdInvalid(id: string, kind: 'model' | 'dataset'): HefixError {
  const example = kind === 'model' ? 'Qwen/Qwen2.5-Coder-0.5B-Instruct' : 'bigcode/humanevalpack';
  return new HefixError(
    'HUB_ID_INVALID',
    `${JSON.stringify(id)} is not the id of a ${kind} on the hub.`,
    `An id looks like ${example}.`,
  );
}

export function hubEndpointInvalid(endpoint: string): HefixError {
  return new HefixError(
    'HUB_ENDPOINT_INVALID',
    `HF_ENDPOINT is ${JSON.stringify(endpoint)}, which is not the address of a hub.`,
    'Set it to an address that starts with http:// or https://, or unset it.',
  );
}

export function hubUnauthorized(id: string, hasToken: boolean): HefixError {
  return new HefixError(
    'HUB_UNAUTHORIZED',
    `The hub ${hasToken ? `does not show ${id} to this token` : `shows ${id} only with a token`}: it is private or gated, or does not exist.`,
    'Check the id, and set HF_TOKEN to a token that may read it.',
  );
}

/** `page`: the page where access can be requested. */
export function hubForbidden(id: string, page: string): HefixError {
  return new HefixError(
    'HUB_FORBIDDEN',
    `Access to ${id} has not been granted to this token.`,
    `Request access at ${page}, and check that the token may read gated repositories.`,
  );
}

export function hubNotFound(id: string, revision: string): HefixError {
  return new HefixError(
    'HUB_NOT_FOUND',
    `The hub has no ${id} at revision ${revision}.`,
    'Check the id and the revision.',
  );
}

export function hubRateLimited(endpoint: string, seconds: number | null): HefixError {
  return new HefixError(
    'HUB_RATE_LIMITED',
    `${endpoint} limits the rate of requests.`,
    `Try again ${seconds === null ? 'later' : `in ${Math.ceil(seconds)} seconds`}; with a token in HF_TOKEN the limits are higher.`,
  );
}

export function hubFailed(endpoint: string, what: string): HefixError {
  return new HefixError('HUB_FAILED', `${endpoint} ${what}.`, 'Try again later.');
}

export function hubUnreachable(endpoint: string, cause: unknown): HefixError {
  return new HefixError(
    'HUB_UNREACHABLE',
    `${endpoint} cannot be reached: ${reason(cause)}.`,
    'Check the network and HF_ENDPOINT. What was downloaded is kept; the same command continues from there.',
    cause,
  );
}

export function hubOffline(id: string, kind: 'model' | 'dataset'): HefixError {
  return new HefixError(
    'HUB_OFFLINE',
    `${id} is not in the cache, and HF_HUB_OFFLINE forbids downloads.`,
    `Unset HF_HUB_OFFLINE, or give the path of a ${kind === 'model' ? 'model folder' : 'file'}.`,
  );
}

export function hubFileCorrupt(id: string, file: string): HefixError {
  return new HefixError(
    'HUB_FILE_CORRUPT',
    `${file} of ${id} was downloaded twice with a hash that differs from the hub's.`,
    'Try again; a proxy may be changing files.',
  );
}

export function hubDiskFull(folder: string, neededBytes: number): HefixError {
  const mebibytes = Math.ceil(neededBytes / 2 ** 20);
  return new HefixError(
    'HUB_DISK_FULL',
    `${folder} has no room for another ${mebibytes} MiB.`,
    'Free some space, or set HF_HOME to a folder on another disk; what was downloaded is kept.',
  );
}

export function hubCacheNotWritable(folder: string, cause: unknown): HefixError {
  return new HefixError(
    'HUB_CACHE_NOT_WRITABLE',
    `The cache ${folder} cannot be written: ${reason(cause)}.`,
    'Set HF_HOME to another folder.',
    cause,
  );
}

/** `wanted`: a weight type, or `auto`. */
export function hubNoWeights(id: string, wanted: string): HefixError {
  return new HefixError(
    'HUB_NO_WEIGHTS',
    `${id} has no ${wanted === 'auto' ? '' : `${wanted} `}weights that hefix can run: neither an ONNX export with a tokenizer nor safetensors to build from.`,
    wanted === 'auto' ? 'Use another model.' : 'Use another --dtype, or auto.',
  );
}

// Models: building a graph from safetensors

export function modelArchitectureUnknown(
  file: string,
  architecture: string,
  known: readonly string[],
): HefixError {
  return new HefixError(
    'MODEL_ARCHITECTURE_UNKNOWN',
    `${file} has the architecture ${architecture}, for which hefix cannot build a graph.`,
    `Use an ONNX export of it, or a model with one of these architectures: ${known.join(', ')}.`,
  );
}

/** `what`: a feature that the model needs: `sliding window attention`. */
export function modelConfigUnsupported(file: string, what: string): HefixError {
  return new HefixError(
    'MODEL_CONFIG_UNSUPPORTED',
    `${file} asks for ${what}, which the graphs that hefix builds do not support.`,
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

const CHECK_MODEL =
  'Check --model: a bundled name, or a folder with config.json, tokenizer.json and an ONNX file.';
const MODEL_LAYOUT = "A model folder has the hub's files: config.json, tokenizer.json, onnx/model.onnx.";

// Servers

/** `names`: the environment variables that were checked. */
export function backendKeyMissing(address: string, names: readonly string[]): HefixError {
  return new HefixError(
    'BACKEND_KEY_MISSING',
    `${address} needs an API key, and none is set.`,
    `Set ${names.join(' or ')} in the environment, or in the .env of a trusted folder (hefix trust), or name another variable with --api-key-env.`,
  );
}

/** Does not repeat the value: it may be a key given by mistake. */
export function backendKeyVariableUnset(): HefixError {
  return new HefixError(
    'BACKEND_KEY_MISSING',
    'The environment variable that --api-key-env names is not set, neither in the environment nor in the .env of a trusted folder.',
    'Give the name of a variable that holds the key, not the key itself; hefix trust makes .env count.',
  );
}

export function backendKeyInvalid(name: string): HefixError {
  return new HefixError(
    'BACKEND_KEY_INVALID',
    `${name} holds characters that no API key has, such as spaces or line breaks.`,
    'Set it to the key, or to several keys separated by commas.',
  );
}

/** `key` identifies the key without showing it: `OPENAI_API_KEY`, `key 2 of 3 in OPENAI_API_KEY`. */
export function backendKeyRefused(address: string, key: string, words: string): HefixError {
  return new HefixError(
    'BACKEND_KEY_REFUSED',
    `${address} refused ${key}: ${words}.`,
    'Check the key, its credit and its rights to the model, or name another variable with --api-key-env.',
  );
}

/** `seconds`: the wait that the server requests; null if unknown. */
export function backendLimited(address: string, words: string, seconds: number | null): HefixError {
  const wait = seconds === null ? '' : ` and asks to wait ${Math.ceil(seconds)} s`;
  return new HefixError(
    'BACKEND_LIMITED',
    `${address} limits the rate of requests${wait}: ${words}.`,
    AFTER_LIMIT,
  );
}

/** `limited`: the last rejection. */
export function backendStillLimited(limited: HefixError, waitedSeconds: number): HefixError {
  const refusal = limited.message.replace(/\.$/, '');
  return new HefixError(
    'BACKEND_LIMITED',
    `${refusal}, after ${Math.round(waitedSeconds)} s of waiting.`,
    AFTER_LIMIT,
  );
}

const RAISE_LIMITS =
  'Or wait longer with --max-wait, set several keys separated by commas, or lower --max-concurrency.';
const AFTER_LIMIT = `Run the same command again later with --resume, and with this run's file as --out; finished tasks are skipped. ${RAISE_LIMITS}`;

/** `what`: `connection refused`. */
export function backendUnreachable(address: string, what: string, cause: unknown): HefixError {
  return new HefixError(
    'BACKEND_UNREACHABLE',
    `${address} cannot be reached: ${what}.`,
    'Check --base-url, and that the server is running and reachable.',
    cause,
  );
}

export function backendTimeout(address: string, seconds: number): HefixError {
  return new HefixError(
    'BACKEND_TIMEOUT',
    `${address} did not finish an answer within ${seconds} s.`,
    'Raise --request-timeout, or lower --max-new-tokens.',
  );
}

export function backendSilent(address: string, seconds: number): HefixError {
  return new HefixError(
    'BACKEND_TIMEOUT',
    `${address} sent nothing for ${seconds} s.`,
    'Check the server; if it is loading a model or reading a long prompt, raise --idle-timeout.',
  );
}

export function backendCutOff(address: string, cause?: unknown): HefixError {
  return new HefixError(
    'BACKEND_CUT_OFF',
    `${address} closed the connection in the middle of an answer.`,
    'Try again later, or more often with --max-tries.',
    cause,
  );
}

export function backendModelUnknown(address: string, model: string, words: string): HefixError {
  return new HefixError(
    'BACKEND_MODEL_UNKNOWN',
    `${address} has no model ${JSON.stringify(model)}: ${words}.`,
    'Set --model to the name that the server uses.',
  );
}

/** `what` ends the sentence: `is not there (404)`, `redirects to https://…`. */
export function backendAddressWrong(address: string, what: string): HefixError {
  return new HefixError(
    'BACKEND_ADDRESS_WRONG',
    `${address}/chat/completions ${what}.`,
    'Set --base-url to the part of the address before /chat/completions; it usually ends in /v1.',
  );
}

export function backendContextTooLong(address: string, model: string, words: string): HefixError {
  return new HefixError(
    'BACKEND_CONTEXT_TOO_LONG',
    `The prompt and its answer do not fit into the context of ${JSON.stringify(model)} at ${address}: ${words}.`,
    'Lower --max-new-tokens or --iters, or use a model with a longer context.',
  );
}

export function backendParameterRefused(address: string, parameter: string, words: string): HefixError {
  return new HefixError(
    'BACKEND_PARAMETER_REFUSED',
    `${address} refuses the parameter ${parameter}: ${words}.`,
    `Give another value, or leave it to the server with --omit ${parameter}.`,
  );
}

export function backendRequestRefused(address: string, status: number, words: string): HefixError {
  return new HefixError(
    'BACKEND_REQUEST_REFUSED',
    `${address} refused the request with status ${status}: ${words}.`,
    'Change the setting that the server rejects.',
  );
}

export function backendFailed(address: string, words: string): HefixError {
  return new HefixError(
    'BACKEND_FAILED',
    `${address} failed: ${words}.`,
    'Try again later, or more often with --max-tries.',
  );
}

/** `what` ends the sentence: `is not JSON: …`, `has no choices`. */
export function backendReplyInvalid(address: string, what: string): HefixError {
  return new HefixError(
    'BACKEND_REPLY_INVALID',
    `The reply of ${address} ${what}.`,
    'Check that --base-url is the address of an OpenAI-compatible server; it usually ends in /v1.',
  );
}

export function backendClosed(address: string): HefixError {
  return new HefixError('BACKEND_CLOSED', `${address} was used after it was closed.`, 'Open it again.');
}

/** Whether the prompt exceeds the model's context, so that a retry would fail too. */
export function isTooLong(code: string): boolean {
  return code === 'MODEL_PROMPT_TOO_LONG' || code === 'BACKEND_CONTEXT_TOO_LONG';
}

/** Whether every later task would fail with the same error, so that continuing is pointless. */
export function endsRun(error: unknown): error is HefixError {
  return error instanceof HefixError && RUN_ENDING.includes(error.code);
}

const RUN_ENDING: readonly string[] = [
  'BACKEND_ADDRESS_WRONG',
  'BACKEND_KEY_MISSING',
  'BACKEND_KEY_REFUSED',
  'BACKEND_LIMITED',
  'BACKEND_MODEL_UNKNOWN',
  'BACKEND_PARAMETER_REFUSED',
  'BACKEND_UNREACHABLE',
];

export function cacheNotWritable(folder: string, cause: unknown): HefixError {
  return new HefixError(
    'CACHE_NOT_WRITABLE',
    `Completions cannot be saved in ${folder}: ${reason(cause)}.`,
    'Set --cache to another folder.',
    cause,
  );
}

// Languages

export function languageUnsupported(language: string, supported: readonly string[]): HefixError {
  return new HefixError(
    'LANGUAGE_UNSUPPORTED',
    `hefix cannot run ${language} yet.`,
    `Choose --lang ${supported.slice(0, -1).join(', ')} or ${supported.at(-1)}.`,
  );
}

/** The dataset lacks the column `prompt`, the declaration with its docstring. */
export function protocolNeedsPrompt(task: string, protocol: string): HefixError {
  return new HefixError(
    'PROTOCOL_NEEDS_PROMPT',
    `${protocol} shows the declaration with its docstring, which ${task} does not have.`,
    'Use a dataset with the column prompt, such as HumanEvalPack, or --prompt humanevalfixtests.',
  );
}

// Sandboxes

export function pythonMissing(command: string, cause: unknown): HefixError {
  return new HefixError(
    'PYTHON_MISSING',
    `Python could not be started as ${command}: ${reason(cause)}.`,
    'Install Python 3.9 or newer and put python3 on the PATH.',
    cause,
  );
}

export function pythonTooOld(executable: string, version: string): HefixError {
  return new HefixError(
    'PYTHON_TOO_OLD',
    `${executable} is Python ${version}; the sandbox needs 3.9 or newer.`,
    'Install a newer Python and put it first on the PATH as python3.',
  );
}

/** `implementation` is Python's own name of it, such as `pypy`. */
export function pythonNotCPython(executable: string, implementation: string): HefixError {
  const name = implementation === 'pypy' ? 'PyPy' : implementation;
  return new HefixError(
    'PYTHON_NOT_CPYTHON',
    `${executable} is ${name}; the sandbox needs CPython 3.9 or newer.`,
    'Put CPython first on the PATH as python3.',
  );
}

export function sandboxFailed(detail: string, cause?: unknown): HefixError {
  return new HefixError(
    'SANDBOX_FAILED',
    `The sandbox could not run the candidate: ${detail}.`,
    'The candidate was not judged. Run hefix doctor to check this system.',
    cause,
  );
}

/** A compiler that is not on the PATH; `packages` are Debian's. */
export function toolchainMissing(tool: string, language: string, packages: string): HefixError {
  return new HefixError(
    'TOOLCHAIN_MISSING',
    `${language} candidates are compiled with ${tool}, which is not on the PATH.`,
    `Install it, on Debian with apt-get install ${packages}.`,
  );
}

/** `found` and `needed` are versions. */
export function toolchainTooOld(tool: string, found: string, needed: string): HefixError {
  return new HefixError(
    'TOOLCHAIN_TOO_OLD',
    `${tool} has the version ${found}; the sandbox needs ${needed} or newer.`,
    'Install a newer one and put it first on the PATH.',
  );
}

export function toolchainFailed(tool: string, detail: string, cause?: unknown): HefixError {
  return new HefixError(
    'TOOLCHAIN_FAILED',
    `${tool} could not compile the parts of its library that hefix needs: ${detail}.`,
    'Check that the toolchain is installed completely; hefix doctor lists it.',
    cause,
  );
}

/** Tests and candidate of a compiled language are always two programs. */
export function judgeUnsupported(language: string): HefixError {
  return new HefixError(
    'JUDGE_UNSUPPORTED',
    `Candidates in ${language} cannot be judged in one process with the tests.`,
    'Leave --judge out.',
  );
}

export function isolatedVmMissing(version: number, why: string): HefixError {
  return new HefixError(
    'ISOLATED_VM_MISSING',
    `JavaScript candidates run in isolated-vm, which cannot be loaded: ${why}.`,
    `Run npm install isolated-vm@${version}, or npm ci in a checkout; without a binary for this system it needs a C++ compiler and Python.`,
  );
}

export function sandboxClosed(): HefixError {
  return new HefixError('SANDBOX_CLOSED', 'The sandbox was closed.', 'Create a new one.');
}

export function languageNotInSandbox(language: string, sandbox: string): HefixError {
  return new HefixError(
    'LANGUAGE_UNSUPPORTED',
    `The ${sandbox} sandbox cannot run ${language}.`,
    'Choose another language with --lang.',
  );
}

/** `what` continues "The tests": "assert nothing", "never call add", "do not parse: …". */
export function testsInvalid(what: string): HefixError {
  return new HefixError(
    'TESTS_INVALID',
    `The tests ${what}.`,
    'The candidate was not judged. Correct the tests, or run them in one process: hefix exec --judge isolated.',
  );
}

const ISOLATION_HINT =
  'Run hefix doctor to check this system; apt-get install bubblewrap gives the strongest level.';

export function noSandboxOnWindows(): HefixError {
  return new HefixError(
    'ISOLATION_UNAVAILABLE',
    'Windows itself has no sandbox that hefix can use.',
    'Run hefix in WSL (wsl --install), where everything works as on Linux.',
  );
}

/** `reasons`: for each level that was tried, why it does not work. */
export function isolationUnavailable(wanted: string | undefined, reasons: readonly string[]): HefixError {
  const what =
    wanted === undefined ? 'No isolation level works' : `The isolation level ${wanted} does not work`;
  return new HefixError(
    'ISOLATION_UNAVAILABLE',
    `${what} on this system (${reasons.join('; ')}).`,
    ISOLATION_HINT,
  );
}

export function dockerMissing(command: string): HefixError {
  return new HefixError(
    'DOCKER_MISSING',
    `There is no program ${command}.`,
    'Install Docker (apt-get install docker.io) or podman, or set DOCKER_BIN to the command that starts it.',
  );
}

export function dockerNotRunning(command: string): HefixError {
  return new HefixError(
    'DOCKER_NOT_RUNNING',
    `${command} cannot reach its daemon.`,
    'Start it (systemctl start docker), or set DOCKER_HOST to its address.',
  );
}

export function dockerNotAllowed(command: string): HefixError {
  return new HefixError(
    'DOCKER_NOT_ALLOWED',
    `This user may not use ${command}.`,
    'Join the group docker, or set DOCKER_BIN="sudo docker".',
  );
}

export function dockerImageMissing(image: string, command: string): HefixError {
  return new HefixError(
    'DOCKER_IMAGE_MISSING',
    `The image ${image} is not available locally.`,
    `Run ${command} pull ${image}, or set SANDBOX_DOCKER_IMAGE to another image with Python 3.9 or newer.`,
  );
}

/** The image has no usable Python; `why` is part of a sentence. */
export function dockerImageUnfit(image: string, why: string): HefixError {
  return new HefixError(
    'DOCKER_IMAGE_UNFIT',
    `The image ${image} cannot run candidates: ${why}.`,
    'Set SANDBOX_DOCKER_IMAGE to an image with Python 3.9 or newer, such as python:3.13-slim.',
  );
}

export function dockerFailed(command: string, complaint: string): HefixError {
  return new HefixError(
    'DOCKER_FAILED',
    `${command} failed: ${complaint.replace(/\.$/, '')}.`,
    'Run hefix doctor to check it, or use --sandbox process.',
  );
}

export function isolationTooWeak(reasons: readonly string[]): HefixError {
  const why = reasons.length ? ` (${reasons.join('; ')})` : '';
  return new HefixError(
    'ISOLATION_TOO_WEAK',
    `--require-isolation was given, but only the ulimit level works on this system${why}.`,
    ISOLATION_HINT,
  );
}

// Runs and records

export function tasksUnknown(pattern: string, dataset: string, nearest: string | undefined): HefixError {
  return new HefixError(
    'TASKS_UNKNOWN',
    `No task of ${dataset} matches --tasks ${pattern}.`,
    nearest === undefined ? 'Give values of the column task_id, or globs.' : `Did you mean ${nearest}?`,
  );
}

export function outNotWritable(path: string, cause: unknown): HefixError {
  return new HefixError(
    'OUT_NOT_WRITABLE',
    `${path} cannot be written: ${reason(cause)}.`,
    'Choose another path with --out.',
    cause,
  );
}

export function outExists(path: string): HefixError {
  return new HefixError(
    'OUT_EXISTS',
    `${path} already holds records.`,
    'Add --resume to continue it, or choose another --out.',
  );
}

export function outLocked(path: string, holder: string): HefixError {
  return new HefixError(
    'OUT_LOCKED',
    `${path} is being written by another run (${holder}).`,
    `Wait for it, choose another --out, or remove ${path}.lock if that run has ended.`,
  );
}

export function stateNotWritable(folder: string, cause: unknown): HefixError {
  return new HefixError(
    'STATE_NOT_WRITABLE',
    `Task states cannot be saved in ${folder}: ${reason(cause)}.`,
    'Choose another folder with --save-state.',
    cause,
  );
}

export function recordsNotReadable(path: string, cause: unknown): HefixError {
  return new HefixError(
    'RECORDS_NOT_READABLE',
    `${path} cannot be read: ${reason(cause)}.`,
    'Check the path.',
    cause,
  );
}

export function recordInvalid(path: string, line: number, what: string): HefixError {
  return new HefixError(
    'RECORD_INVALID',
    `${path}, line ${line}, is not a record of a run: ${what}.`,
    'Remove the line, or give a results file.',
  );
}

/** `inProgress`: whether a run is still writing the file. */
export function recordsEmpty(path: string, inProgress: boolean): HefixError {
  return new HefixError(
    'RECORDS_EMPTY',
    `${path} holds no records${inProgress ? ' yet' : ''}.`,
    inProgress ? 'Wait until its run has finished a task.' : 'Give a results file.',
  );
}

export function recordRepeated(path: string, line: number, name: string): HefixError {
  return new HefixError(
    'RECORD_REPEATED',
    `${path}, line ${line}, records ${name} a second time.`,
    'Give a results file as a run wrote it; hefix merge joins several.',
  );
}

export function recordsNewer(path: string, format: number, known: number): HefixError {
  return new HefixError(
    'RECORDS_NEWER',
    `${path} has format ${format}, and this version of hefix reads up to ${known}.`,
    'Update hefix.',
  );
}

export function mergeOverlap(name: string, first: string, second: string): HefixError {
  return new HefixError(
    'MERGE_OVERLAP',
    `${first} and ${second} both contain ${name}.`,
    'Merge each part of a run once, such as the results of --shard 1/2 and --shard 2/2.',
  );
}

export function mergeMismatch(what: string, first: [string, string], second: [string, string]): HefixError {
  return new HefixError(
    'MERGE_MISMATCH',
    `${first[0]} was written with ${what} ${first[1]}, and ${second[0]} with ${second[1]}.`,
    'Only parts of one run can be merged; use hefix compare for two runs.',
  );
}

export function mergeInProgress(path: string): HefixError {
  return new HefixError('MERGE_GROWING', `${path} is still being written.`, 'Wait until its run has ended.');
}

export function manifestUnusable(path: string, what: string): HefixError {
  return new HefixError(
    'MANIFEST_UNUSABLE',
    `The manifest ${path}, which describes the run, ${what}.`,
    'Restore it, or start over with another --out.',
  );
}

/** Nothing that a run could repeat: the samples came from elsewhere. */
export function rerunOfScored(path: string, samples: string): HefixError {
  return new HefixError(
    'RERUN_SCORED',
    `${path} describes samples that were scored, not a run that could be repeated.`,
    `Score them again: hefix score ${samples}.`,
  );
}

export function resumeMismatch(path: string, what: string, before: string, now: string): HefixError {
  return new HefixError(
    'RESUME_MISMATCH',
    `${path} was written with ${what} ${before}, and this run has ${now}.`,
    'Resume with the same settings, or start over with another --out.',
  );
}

export function resumeNothing(folder: string): HefixError {
  return new HefixError(
    'RESUME_NOTHING',
    `There is no unfinished run with these options in ${folder}/.`,
    'Name the file to continue with --out, or leave out --resume.',
  );
}

/** The user said no, or there is nobody to ask. */
export function resumeUnconfirmed(path: string, done: string): HefixError {
  return new HefixError(
    'RESUME_UNCONFIRMED',
    `The last unfinished run with these options is ${path}, in which ${done}.`,
    `To continue it, add --yes or --out ${path}.`,
  );
}

export function interrupted(path: string, recorded: number, total: number): HefixError {
  return new HefixError(
    'INTERRUPTED',
    `Interrupted; ${recorded} of ${total} tasks are recorded in ${path}.`,
    `To resume, run the same command with --out ${path} --resume.`,
  );
}

export function robustInterrupted(path: string, compared: number, solved: number): HefixError {
  return new HefixError(
    'INTERRUPTED',
    `Interrupted; ${compared} of ${solved} solutions in ${path} have been compared.`,
    'To continue, run the same command again.',
  );
}

export function sweepInterrupted(folder: string, done: number, runs: number): HefixError {
  return new HefixError(
    'INTERRUPTED',
    `Interrupted; ${done} of ${runs} runs are done, and nothing recorded in ${folder} is lost.`,
    'To resume, run the same command with --resume.',
  );
}

/**
 * An error that ended one run of a sweep: the hint names that run's file, and a sweep is resumed as a whole.
 */
export function sweepStopped(error: HefixError): HefixError {
  const hints: Readonly<Record<string, string>> = {
    TOO_MANY_ERRORS: `Fix the cause, then run the same command with --resume: tasks in error run again. ${NEVER_STOP}`,
    BACKEND_LIMITED: `Run the same command again later with --resume. ${RAISE_LIMITS}`,
  };
  const hint = hints[error.code];
  return hint === undefined ? error : new HefixError(error.code, error.message, hint, error);
}

export function taskBroke(taskId: string, cause: { code: string; message: string }): HefixError {
  return new HefixError(
    'TASK_BROKE',
    `Stopped at ${taskId} because of --fail-fast: ${cause.code}: ${cause.message}`,
    'Fix the cause, then run the same command with --resume.',
  );
}

/** `cause`: the last error. */
export function tooManyErrors(
  path: string,
  count: number,
  cause: { code: string; message: string },
): HefixError {
  return new HefixError(
    'TOO_MANY_ERRORS',
    `Stopped after ${count === 1 ? 'a task ended in an error' : `${count} tasks in a row ended in the same error`}, ${cause.code}: ${cause.message}`,
    `Fix the cause, then run the same command with --out ${path} --resume: tasks in error run again. ${NEVER_STOP}`,
  );
}

const NEVER_STOP = 'With --max-errors 0, errors never stop a run.';

export function nothingRan(tasks: number, cause: { code: string; message: string }): HefixError {
  return new HefixError(
    'NOTHING_RAN',
    `${tasks === 1 ? 'The task could not be judged; it' : `None of the ${tasks} tasks could be judged; the first`} ended with ${cause.code}: ${cause.message}`,
    afterNothingRan(cause.code),
  );
}

function afterNothingRan(code: string): string {
  if (isTooLong(code)) return 'Use a model with a longer context, or lower --max-new-tokens or --iters.';
  if (code.startsWith('BACKEND_')) {
    return 'Check --base-url and the server, or raise --request-timeout or --max-tries.';
  }
  return 'Try another model, or run hefix doctor to check this system.';
}

// Queues

export function queuePackageMissing(packages: string, cause: unknown): HefixError {
  return new HefixError(
    'QUEUE_PACKAGE_MISSING',
    'A queue needs packages that are not installed.',
    `Run npm install ${packages} in the folder where hefix is installed.`,
    cause,
  );
}

export function boardPackageMissing(cause: unknown): HefixError {
  return new HefixError(
    'BOARD_PACKAGE_MISSING',
    'Bull Board needs packages that are not installed.',
    'Run npm install @bull-board/api@9 @bull-board/hono@9 hono@4 @hono/node-server@2 in the folder where hefix is installed.',
    cause,
  );
}

/** `address`: without user and password. */
export function queueUnreachable(address: string, cause: unknown): HefixError {
  return new HefixError(
    'QUEUE_UNREACHABLE',
    `The queue at ${address} cannot be reached: ${reason(cause)}.`,
    'Check the address, and that the server runs and accepts connections from this machine.',
    cause,
  );
}

export function queueRefused(address: string, cause: unknown): HefixError {
  return new HefixError(
    'QUEUE_REFUSED',
    `The queue at ${address} does not accept the user or the password.`,
    'Give both in the address, redis://user:password@host, or the password in HEFIX_QUEUE_PASSWORD.',
    cause,
  );
}

export function queueTooOld(address: string, found: string, needed: string): HefixError {
  return new HefixError(
    'QUEUE_TOO_OLD',
    `The server at ${address} is ${found}, and a queue needs ${needed} or newer.`,
    'Update the server, or use another.',
  );
}

/** `run`: the other run in words. */
export function queueOccupied(queue: string, run: string): HefixError {
  return new HefixError(
    'QUEUE_OCCUPIED',
    `The queue ${queue} holds another run: ${run}.`,
    'Wait until that run has ended, choose another --queue-name, or give that run up with hefix queue drain; its records are kept.',
  );
}

export function queueWithoutRun(queue: string): HefixError {
  return new HefixError(
    'QUEUE_WITHOUT_RUN',
    `The queue ${queue} holds no run.`,
    'Start one with hefix run --queue, or check --queue-name.',
  );
}

export function shardsNotShared(folder: string): HefixError {
  return new HefixError(
    'SHARDS_NOT_SHARED',
    `${folder} on this machine is not the folder that the run collects its records in.`,
    'Mount the same folder on all machines and name it with --shards, use --shards s3://bucket/prefix, or let workers upload: hefix run --collect.',
  );
}

export function shardsTaken(folder: string): HefixError {
  return new HefixError(
    'SHARDS_TAKEN',
    `${folder} holds the records of another run.`,
    'Choose another folder with --shards.',
  );
}

export function shardsPackageMissing(cause: unknown): HefixError {
  return new HefixError(
    'SHARDS_PACKAGE_MISSING',
    'Storage at s3:// needs packages that are not installed.',
    'Run npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3 in the folder where hefix is installed.',
    cause,
  );
}

/** `location`: a bucket, with a prefix. `words`: the client's error, which itself holds the whole request. */
export function shardsUnusable(location: string, words: string): HefixError {
  return new HefixError(
    'SHARDS_UNUSABLE',
    `${location} cannot be used: ${words.replace(/\.$/, '')}.`,
    'Check the bucket, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and, for a server other than Amazon S3, AWS_ENDPOINT_URL.',
  );
}

export function collectUnusable(address: string, cause: unknown): HefixError {
  return new HefixError(
    'COLLECT_UNUSABLE',
    `Records cannot be collected at ${address}: ${reason(cause)}.`,
    'Choose a free port, and for https give --collect-cert and --collect-key.',
    cause,
  );
}

export function uploadRefused(address: string, words: string): HefixError {
  return new HefixError(
    'UPLOAD_REFUSED',
    `The coordinator at ${address} refuses the records: ${words}`,
    'Set HEFIX_COLLECT_TOKEN to the same on the coordinator and on all workers.',
  );
}

export function uploadUntrusted(address: string, cause: unknown): HefixError {
  return new HefixError(
    'UPLOAD_UNTRUSTED',
    `The certificate of the coordinator at ${address} is not trusted: ${reason(cause)}.`,
    'Set NODE_EXTRA_CA_CERTS to the file of the certificate, or of its authority, on each worker.',
    cause,
  );
}

export function collectTokenMissing(): HefixError {
  return new HefixError(
    'COLLECT_TOKEN_MISSING',
    'Records are collected with --collect, and HEFIX_COLLECT_TOKEN is not set.',
    'Set it to the same long random text on the coordinator and on all workers: openssl rand -hex 32.',
  );
}

/** `described`: what says that the model is a server; its address is not taken from there. */
export function serverNotNamed(
  described: string,
  baseUrl: string | undefined,
  provider = 'openai',
): HefixError {
  const option = baseUrl === undefined ? `--provider ${provider}` : `--base-url ${baseUrl}`;
  return new HefixError(
    'SERVER_NOT_NAMED',
    `The model is a server, whose address and key are not taken from the ${described}.`,
    `If you know the server that it was planned with, give ${option}, and --api-key-env unless the usual variable holds the key.`,
  );
}

export function serverNotUsed(described: string): HefixError {
  return new HefixError(
    'SERVER_NOT_NAMED',
    `A server is given, but the ${described} names a model that runs on this machine.`,
    'Leave out --base-url, --provider and --api-key-env.',
  );
}

/** `option`: the one by which a worker names the place. */
export function recordsNotNamed(place: string, option: string): HefixError {
  return new HefixError(
    'SHARDS_NOT_NAMED',
    `The run collects its records at ${place}, which a worker does not take from the queue.`,
    `If this is where your records belong, start the worker with ${option} ${place}.`,
  );
}

/** What a worker has in place of what the run was planned with. */
export function workerDiffers(what: string, run: string, own: string, name: string): HefixError {
  return new HefixError(
    'WORKER_DIFFERS',
    `The run has ${what} ${run}, and this worker has ${own}.`,
    `Give the worker the same, or accept the difference with --allow ${name}.`,
  );
}

/** `name`: the task and the sample. */
export function solutionBroke(name: string, cause: { code: string; message: string }): HefixError {
  return new HefixError(
    'SOLUTION_BROKE',
    `${name} could not be judged: ${cause.code}: ${cause.message}`,
    'Fix the cause, then run the same command with --out and --resume.',
  );
}

/** Two records of one unit that must be the same, but for times; `a` and `b` say what each has, and where. */
export function recordsDisagree(name: string, field: string, a: string, b: string): HefixError {
  return new HefixError(
    'RECORDS_DISAGREE',
    `${name} was recorded twice with another ${field}: ${a}; ${b}.`,
    'Both are kept in their shards. Find out which worker differs, or why the result is not deterministic.',
  );
}

export function costReached(limit: number, path: string): HefixError {
  return new HefixError(
    'COST_REACHED',
    `Stopped because the run has cost ${limit} or more.`,
    `To continue, run the same command with a higher --max-cost, --out ${path} and --resume.`,
  );
}

// The server for other agents

export function inputTooLarge(bytes: number, limit: number): HefixError {
  return new HefixError(
    'INPUT_TOO_LARGE',
    `Code and tests have ${Math.ceil(bytes / 1024)} KiB together, and this server accepts ${limit / 1024}.`,
    'Send the function with its helpers only, or start hefix mcp with a larger --max-size.',
  );
}

export function pathNotAllowed(path: string, folders: readonly string[]): HefixError {
  return new HefixError(
    'PATH_NOT_ALLOWED',
    `${path} is not below a folder that this server may read.`,
    `It may read ${folders.join(', ')}; hefix mcp --allow names others.`,
  );
}

export function timeUp(seconds: number): HefixError {
  return new HefixError(
    'TIME_UP',
    `The call took longer than ${seconds} seconds and was stopped.`,
    'Send less code, ask for fewer iterations, or start hefix mcp with a larger --time.',
  );
}

export function serverBusy(waiting: number): HefixError {
  return new HefixError(
    'SERVER_BUSY',
    `${waiting} calls are already waiting.`,
    'Call again when one has ended, or start hefix mcp with more --workers.',
  );
}

export function serverClosed(): HefixError {
  return new HefixError('SERVER_CLOSED', 'The server was closed.', 'Start it again.');
}

/** The model or the sandbox failed during a repair. */
export function repairBroke({ code, message }: { code: string; message: string }): HefixError {
  return new HefixError(code, message, 'Run hefix doctor to check this system.');
}

export function testsOrExamples(): HefixError {
  return new HefixError('INPUT_INVALID', 'Tests and examples cannot be combined.', 'Leave one of them out.');
}

/** `from`: what holds none: `The examples`, `The docstring of f`. */
export function examplesUnreadable(from: string): HefixError {
  return new HefixError(
    'TESTS_MISSING',
    `${from} cannot be read as calls with their values, so there is nothing to check a repair with.`,
    'Give tests, or examples such as "median([3, 1, 2]) == 2", one per line, with literal values.',
  );
}

// The viewer

export function portUnusable(port: number, cause: unknown): HefixError {
  const taken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
  return new HefixError(
    'PORT_UNUSABLE',
    `Port ${port} of 127.0.0.1 cannot be used: ${taken ? 'another program uses it' : reason(cause)}.`,
    'Choose another with --port, or leave it out for a free one.',
    cause,
  );
}

// Reports

export function rendererMissing(cause: unknown): HefixError {
  return new HefixError(
    'RENDERER_MISSING',
    'Pictures need packages that are not installed.',
    'Run npm install vega@6 vega-lite@6 @resvg/resvg-js@2 @expo-google-fonts/inter in the folder where hefix is installed.',
    cause,
  );
}

export function reportFormUnknown(path: string): HefixError {
  return new HefixError(
    'REPORT_FORM_UNKNOWN',
    `--out is ${JSON.stringify(path)}, expected a .png, .svg or .html file.`,
    SEE_HELP,
  );
}

/** The system's error message, as the end of a sentence: `permission denied`. */
export function reason(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replace(/^[A-Z]+: /, '').replace(/, [a-z]+ '.*$/, '');
}

// Repairs of users' own code

export function interpreterUnusable(python: string, cause: unknown): HefixError {
  return new HefixError(
    'INTERPRETER_UNUSABLE',
    `The Python interpreter ${python} cannot be started.`,
    'Give the path of one with --python, or create the virtual environment again.',
    cause,
  );
}

/** `target`: where the environment is. */
export function interpreterOutside(folder: string, target: string): HefixError {
  return new HefixError(
    'INTERPRETER_UNUSABLE',
    `The virtual environment ${folder} is a link to ${target}, which is outside of the project.`,
    `If its interpreter is yours, give it with --python ${target}/bin/python.`,
  );
}

export function pathUnmountable(path: string): HefixError {
  return new HefixError(
    'PATH_UNMOUNTABLE',
    `The name ${JSON.stringify(path)} holds a control character, such as a line break, so that no jail can contain it.`,
    'Rename or remove it.',
  );
}

/** `target`: where the folder of packages is. */
export function modulesOutside(folder: string, target: string): HefixError {
  return new HefixError(
    'PACKAGES_OUTSIDE',
    `${folder} is a link to ${target}, which is outside of the project.`,
    `If the tests may read it, add --packages ${target}; otherwise install the packages in the project.`,
  );
}

export function environmentBroken(folder: string): HefixError {
  return new HefixError(
    'INTERPRETER_UNUSABLE',
    `The virtual environment ${folder} has no Python interpreter.`,
    'Create it again, or give an interpreter with --python.',
  );
}

export function targetNotFound(path: string, nearest: string | undefined): HefixError {
  return new HefixError(
    'TARGET_NOT_FOUND',
    `There is no ${path}.`,
    nearest === undefined ? 'Give a file or a folder that exists.' : `Did you mean ${nearest}?`,
  );
}

export function targetUnsupported(path: string): HefixError {
  return new HefixError(
    'TARGET_UNSUPPORTED',
    `${path} is neither Python, JavaScript nor TypeScript.`,
    'hefix fix repairs files such as .py, .js, .mjs, .ts and .tsx.',
  );
}

export function targetIsTest(path: string): HefixError {
  return new HefixError(
    'TARGET_IS_TEST',
    `${path} belongs to the tests, which hefix never changes.`,
    'Name the code that the tests check, or its folder.',
  );
}

export function patchTouchesTest(path: string): HefixError {
  return new HefixError(
    'PATCH_TOUCHES_TEST',
    `A change of ${path} was refused, because it would change a test.`,
    'Leave out --save-state if its file was edited; otherwise this is a bug in hefix.',
  );
}

export function functionNotFound(name: string, path: string, nearest: string | undefined): HefixError {
  return new HefixError(
    'FUNCTION_NOT_FOUND',
    `There is no function ${name} in ${path}.`,
    nearest === undefined ? 'Name a function of that file.' : `Did you mean ${nearest}?`,
  );
}

export function functionAmbiguous(name: string, path: string, lines: readonly number[]): HefixError {
  return new HefixError(
    'FUNCTION_AMBIGUOUS',
    `${path} has ${lines.length} functions named ${name}, in lines ${lines.join(', ')}.`,
    `Add the line: ${path}::${name}:${lines[0]}.`,
  );
}

export function noTests(path: string): HefixError {
  return new HefixError(
    'TESTS_MISSING',
    `There are no tests for ${path}: no test file is named after it (test_*.py, *_test.py, *.test.js, *.spec.ts, tests/*.js …), and no docstring has examples.`,
    'Give a file or a folder of tests with --tests.',
  );
}

/** `reason` is the last line of the test runner's output. */
export function testsNotCollected(reason: string): HefixError {
  return new HefixError(
    'TESTS_NOT_COLLECTED',
    `The tests cannot be collected: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`,
    'Fix the problem that the test runner reports, then run hefix fix again.',
  );
}

/** A framework of JavaScript tests that a project uses. */
export function frameworkMissing(name: string): HefixError {
  return new HefixError(
    'TESTS_NOT_COLLECTED',
    `The tests use ${name}, which is not installed in the project.`,
    'Install the project’s packages first, for example with npm install.',
  );
}

export function frameworkUnsupported(name: string): HefixError {
  return new HefixError(
    'TESTS_NOT_COLLECTED',
    `The tests use ${name}, which hefix cannot run.`,
    'Use node:test, vitest, jest or mocha, or name other tests with --tests.',
  );
}

export function typeScriptNeedsNode(version: string): HefixError {
  return new HefixError(
    'TESTS_NOT_COLLECTED',
    `The tests are TypeScript, which node:test runs from Node 22.18 on; this is Node ${version}.`,
    'Run hefix with a newer Node, or install tsx in the project.',
  );
}

export function testsNone(): HefixError {
  return new HefixError(
    'TESTS_MISSING',
    'The test runner found no tests in these files.',
    'Give a file or a folder of tests with --tests.',
  );
}

export function sourceSyntax(path: string, line: number | null): HefixError {
  const place = line === null ? '' : ` (line ${line})`;
  return new HefixError(
    'SOURCE_SYNTAX',
    `${path} has a syntax error${place}.`,
    'Correct it first: hefix fix repairs functions that can be run.',
  );
}

export function projectTooLarge(
  root: string,
  cap: { readonly bytes: number; readonly files: number },
): HefixError {
  return new HefixError(
    'PROJECT_TOO_LARGE',
    `${root} has more than ${Math.round(cap.bytes / 2 ** 20)} MiB or ${cap.files} files, more than hefix copies.`,
    'Name a smaller folder, with a pyproject.toml or package.json of its own.',
  );
}

export function fileChanged(path: string): HefixError {
  return new HefixError(
    'FILE_CHANGED',
    `${path} was changed while hefix was running; nothing was written.`,
    'Run hefix fix again.',
  );
}

export function fileReadOnly(path: string): HefixError {
  return new HefixError(
    'FILE_READ_ONLY',
    `${path} is read-only; --write cannot change it.`,
    'Make it writable, or take the change with --patch.',
  );
}
