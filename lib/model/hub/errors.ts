import { HefixError } from '../../core/errors.ts';
import { pathHint } from '../../files/paths.ts';
import { nearestModel } from '../aliases.ts';

/** A GGUF file that is not there. */
export function modelFileUnknown(file: string): HefixError {
  return new HefixError(
    'MODEL_UNKNOWN',
    `There is no model file ${file}.`,
    pathHint(file, 'Give the path of a GGUF file.'),
  );
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

export function modelUnknown(name: string, bundled: readonly string[]): HefixError {
  const nearest = nearestModel(name, bundled);
  return new HefixError(
    'MODEL_UNKNOWN',
    `${JSON.stringify(name)} is not a model: neither a bundled name, a folder nor a hub id.`,
    `${nearest === undefined ? '' : `Did you mean ${nearest}? `}Give a folder, an id like Qwen/Qwen2.5-Coder-0.5B-Instruct${bundled.length ? `, or one of: ${bundled.join(', ')}` : ''}.`,
  );
}

export function modelNotStored(name: string, nearest: string | undefined): HefixError {
  return new HefixError(
    'MODEL_NOT_STORED',
    `Nothing was downloaded of ${name} or built from it.`,
    nearest === undefined ? 'hefix models lists what there is.' : `Did you mean ${nearest}?`,
  );
}

/** The same error with the name that was probably meant, if the hub does not have the model or does not show it. */
export function withNearestModel(error: unknown, id: string): unknown {
  const isUnknown =
    error instanceof HefixError && (error.code === 'HUB_NOT_FOUND' || error.code === 'HUB_UNAUTHORIZED');
  const nearest = isUnknown ? nearestModel(id) : undefined;
  if (!isUnknown || nearest === undefined || nearest === id) return error;
  return new HefixError(error.code, error.message, `Did you mean ${nearest}? ${error.hint}`);
}

/** `wanted`: a weight type, or `auto`. */
export function hubNoWeights(id: string, wanted: string): HefixError {
  return new HefixError(
    'HUB_NO_WEIGHTS',
    `${id} has no ${wanted === 'auto' ? '' : `${wanted} `}weights that hefix can run: neither an ONNX export with a tokenizer nor safetensors to build from.`,
    wanted === 'auto' ? 'Use another model.' : 'Use another --dtype, or auto.',
  );
}
