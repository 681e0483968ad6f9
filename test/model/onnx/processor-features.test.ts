import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processorFeatures } from '../../../lib/model/onnx/processor-features.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { arch } = process;

test.each([
  ['flags\t\t: fpu mmx sse4_2 avx2 avx fma tsc avx512_vnni', `${arch} avx avx2 avx512_vnni fma sse4_2`],
  ['Features\t: fp asimd evtstrm i8mm asimddp', `${arch} asimd asimddp i8mm`],
  ['flags\t\t: fpu', arch],
  ['', `${arch} ${cpus()[0]?.model ?? 'unknown'}`],
])('%j', async (line, expected) => {
  const file = join(await temporaryFolder(), 'cpuinfo');
  await writeFile(file, `processor\t: 0\n${line}\n\nprocessor\t: 1\n${line}\n`);
  expect(processorFeatures(file)).toBe(expected);
});
