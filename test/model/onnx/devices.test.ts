import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { listSupportedBackends } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { devices } from '../../../lib/model/onnx/devices.ts';
import { createOnnxModel } from '../../../lib/model/onnx/onnx-model.ts';
import { physicalCores } from '../../../lib/model/onnx/physical-cores.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { referenceFolder } from '../reference-model.ts';

const known = listSupportedBackends().map(({ name }) => name);

test.each(devices.filter(device => !known.includes(device)))(
  '%s, which onnxruntime lacks on this system, is refused in one sentence',
  async device => {
    await expect(createOnnxModel({ folder: referenceFolder, device })).rejects.toMatchObject({
      code: 'MODEL_DEVICE_UNAVAILABLE',
      message: expect.stringMatching(new RegExp(`^onnxruntime cannot use the device ${device}: [^\n]*\\.$`)),
      hint: expect.stringContaining('--device cpu'),
    });
  },
);

test('threads of one core count once, and only permitted cores are used', async () => {
  const folder = await temporaryFolder();
  const siblings = ['0,2', '1,3', '0,2', '1,3'];
  for (const [index, list] of siblings.entries()) {
    await mkdir(join(folder, `cpu${index}`, 'topology'), { recursive: true });
    await writeFile(join(folder, `cpu${index}`, 'topology', 'thread_siblings_list'), `${list}\n`);
  }
  await mkdir(join(folder, 'cpufreq'));
  expect(physicalCores(folder)).toBe(Math.min(2, availableParallelism()));
  expect(physicalCores(join(folder, 'nothing'))).toBe(availableParallelism());
  expect(physicalCores()).toBeGreaterThan(0);
});
