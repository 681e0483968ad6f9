import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BuildProgress } from '../../../lib/model/build/build-model.ts';
import { buildInProcess } from '../../../lib/model/hub/build-in-process.ts';
import { children } from '../../support/children.ts';
import { linux, needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { golden } from '../build/golden.ts';

describe('the process that builds a graph', () => {
  test('reports its steps, and has ended when the graph is there', async () => {
    const { builders, start, folder } = await scene();
    const steps: BuildProgress['step'][] = [];
    let during = 0;
    const exactness = await start(({ step }) => {
      steps.push(step);
      during = builders().length;
    });
    // Without a tokenizer, nothing is measured.
    expect(exactness).toBeNull();
    expect(steps[0]).toBe('reading');
    expect(steps.at(-1)).toBe('writing');
    expect(existsSync(join(folder, 'onnx', 'model_w8a8.onnx'))).toBe(true);
    if (process.platform === 'linux') expect(during).toBe(1);
    expect(builders()).toEqual([]);
  });

  test('ends where it is interrupted, and leaves nothing half built', async () => {
    const { builders, start, folder } = await scene();
    const controller = new AbortController();
    const building = start(() => controller.abort(new Error('enough')), controller.signal);
    await expect(building).rejects.toThrow('enough');
    expect(builders()).toEqual([]);
    expect(existsSync(join(folder, 'onnx', '.w8a8.partial'))).toBe(false);
    expect(existsSync(join(folder, 'onnx', 'model_w8a8.onnx.lock'))).toBe(false);
  });

  test('passes on errors with their codes and hints', async () => {
    const { start } = await scene('/missing/folder');
    await expect(start()).rejects.toMatchObject({
      code: 'MODEL_FILE_MISSING',
      hint: expect.stringContaining('config.json'),
    });
  });

  test('is an error where it is killed', needs(linux), async () => {
    const { builders, start } = await scene();
    const building = start(() => {
      for (const pid of builders()) process.kill(pid, 'SIGKILL');
    });
    await expect(building).rejects.toMatchObject({
      code: 'MODEL_BUILD_ENDED',
      message: 'The process that builds the graph of a model ended before it was done (SIGKILL).',
    });
  });
});

async function scene(path = golden('qwen2').folder) {
  const folder = await temporaryFolder();
  const before = new Set(children());
  const build = { source: { kind: 'folder', path }, folder, weightType: 'w8a8' } as const;
  return {
    folder,
    builders: () => children().filter(pid => !before.has(pid)),
    start: (onProgress: (progress: BuildProgress) => void = () => {}, signal?: AbortSignal) =>
      buildInProcess(build, { name: 'a model', onProgress, signal }),
  };
}
