import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson, readRegularText } from '../../files/untrusted-file.ts';
import { modelFileInvalid } from '../errors.ts';
import { modelNotInOllama } from './errors.ts';

/** A model that Ollama has downloaded. */
export interface OllamaModel {
  /** `ollama:smollm2:135m`, as `--model` takes it. */
  readonly name: string;
  /** The GGUF file. */
  readonly path: string;
  readonly bytes: number;
}

const PREFIX = 'ollama:';

/** Whether a name is that of a model in Ollama's store. */
export function isOllamaName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/**
 * The file of `ollama:<name>[:<tag>]`, with the namespace and registry before the name if they are not Ollama's own.
 * Throws MODEL_UNKNOWN and MODEL_FILE_INVALID.
 */
export async function findInOllama(name: string, env = process.env): Promise<OllamaModel> {
  const store = storeFolder(env);
  const [, path = '', tag = 'latest'] = NAME.exec(name.slice(PREFIX.length)) ?? [];
  const parts = path.split('/');
  const manifest = join(
    store,
    'manifests',
    ...DEFAULTS.slice(0, Math.max(0, 3 - parts.length)),
    ...parts,
    tag,
  );
  if (path === '' || parts.length > 3 || !existsSync(manifest)) throw modelNotInOllama(name, store);
  const model = await readManifest(store, manifest, name);
  if (model === null) throw modelFileInvalid(manifest, 'it names no GGUF file of one part');
  if (!existsSync(model.path)) throw modelFileInvalid(manifest, `its file ${model.path} is missing`);
  return model;
}

/** Registry and namespace of Ollama's own models. */
const DEFAULTS = ['registry.ollama.ai', 'library'] as const;

/** Path and tag; no part starts with a dot. */
const NAME = /^((?:\w[\w.-]*\/)*\w[\w.-]*)(?::(\w[\w.-]*))?$/;

/** All models in the store, by name; none if there is no store. */
export async function listOllama(env = process.env): Promise<OllamaModel[]> {
  const store = storeFolder(env);
  const root = join(store, 'manifests');
  const files = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const models = files
    .filter(file => file.isFile())
    .map(async file => {
      const path = join(file.parentPath, file.name);
      const parts = path.slice(root.length + 1).split(/[\\/]/);
      const tag = parts.pop();
      const short = DEFAULTS.every((part, index) => parts[index] === part) ? parts.slice(2) : parts;
      const name = `${PREFIX}${short.join('/')}:${tag}`;
      const model = await readManifest(store, path, name);
      return model !== null && existsSync(model.path) ? [model] : [];
    });
  return (await Promise.all(models)).flat().sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** OLLAMA_MODELS, the user's folder, or that of Ollama's service on Linux. */
function storeFolder(env: NodeJS.ProcessEnv): string {
  if (env.OLLAMA_MODELS) return env.OLLAMA_MODELS;
  const ofUser = join(homedir(), '.ollama', 'models');
  const ofService = '/usr/share/ollama/.ollama/models';
  return !existsSync(ofUser) && existsSync(ofService) ? ofService : ofUser;
}

/** Null for models without weights, with adapters, or in several files. */
async function readManifest(store: string, path: string, name: string): Promise<OllamaModel | null> {
  const manifest = manifestSchema.safeParse(parseJson(await readRegularText(path, 2 ** 20).catch(() => '')));
  const ofType = (type: string) =>
    manifest.data?.layers.filter(({ mediaType }) => mediaType === `application/vnd.ollama.image.${type}`) ??
    [];
  const [weights, ...others] = ofType('model');
  if (weights === undefined || others.length > 0 || ofType('adapter').length > 0) return null;
  return { name, path: join(store, 'blobs', weights.digest.replace(':', '-')), bytes: weights.size };
}

const manifestSchema = z.object({
  layers: z.array(
    z.object({
      mediaType: z.string(),
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      size: z.number().int().nonnegative(),
    }),
  ),
});
