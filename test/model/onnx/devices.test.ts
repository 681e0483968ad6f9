import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { devices } from '../../../lib/core/choices.ts';
import { createOnnxModel, openOnDevice, physicalCores } from '../../../lib/model/onnx/onnx-model.ts';
import { listSupportedBackends } from '../../../lib/model/onnx/runtime.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { referenceFolder } from '../reference-model.ts';

const known = listSupportedBackends().map(({ name }) => name);

test.each(devices.filter(device => !known.includes(device)))(
  '%s, which onnxruntime lacks on this system, is refused in one sentence',
  async device => {
    await expect(createOnnxModel({ folder: referenceFolder, device })).rejects.toMatchObject({
      code: 'MODEL_DEVICE_UNAVAILABLE',
      message: expect.stringMatching(new RegExp(`^onnxruntime cannot use the device ${device}: [^\n]*\\.$`)),
      hint: expect.stringContaining('--require-device'),
    });
  },
);

test('a device that cannot be used is replaced by the CPU with one warning, unless it is required', async () => {
  const device = devices.find(name => !known.includes(name));
  const options = { folder: referenceFolder, device, threads: 1 };
  const warnings: string[] = [];
  const warn = (sentence: string) => warnings.push(sentence);
  const model = await openOnDevice(options, { requireDevice: false, warn });
  await model.close();
  expect(model.device).toBe('cpu');
  expect(warnings).toEqual([
    `The CPU is used, because onnxruntime cannot use the device ${device}: onnxruntime-node has no ${device} on this system.`,
  ]);
  await expect(openOnDevice(options, { requireDevice: true, warn })).rejects.toMatchObject({
    code: 'MODEL_DEVICE_UNAVAILABLE',
  });
  expect(warnings).toHaveLength(1);
});

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
