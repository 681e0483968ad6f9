import { createOnnxModel } from '../model/onnx-model.ts';
import { packageFile } from '../package-root.ts';
import type { TextModel } from '../ports.ts';
import type { RunOptions } from './options.ts';
import { createScriptedBackend } from './scripted-backend.ts';

/** The name of the model that ships with hefix. */
export const bundledModel = 'hefix-mini';

/** The model that `--backend` and `--model` name. Rejects with the MODEL_ errors of loading. */
export async function createModel({
  backend,
  model,
}: Pick<RunOptions, 'backend' | 'model'>): Promise<TextModel> {
  if (backend === 'scripted') return await createScriptedBackend(model);
  if (model === bundledModel)
    return await createOnnxModel({ folder: bundledModelFolder(), name: bundledModel });
  return await createOnnxModel({ folder: model });
}

export function bundledModelFolder(): string {
  return packageFile('fixtures/model');
}
