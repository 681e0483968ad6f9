import { copyFile, mkdir, readdir, rename, stat, symlink, utimes } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../../lib/files/package-root.ts';
import { openModelFolder } from '../../../lib/model/model-folder.ts';
import { openDecoder } from '../../../lib/model/onnx/decoder.ts';
import { readOnnxLayout } from '../../../lib/model/onnx/onnx-layout.ts';
import { keepLastRows } from '../../../lib/model/onnx/rewrite-logits.ts';
import { openSession } from '../../../lib/model/onnx/session.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { copyOfReference, readGolden, referenceFolder } from '../reference-model.ts';

const cpu = { threads: 1, device: 'cpu' } as const;

test('a graph for all rows becomes one for the last rows, with the same logits, once', async () => {
  const { config, onnxFile } = await openModelFolder(referenceFolder);
  const { prompt } = await readGolden();
  const graphs = await temporaryFolder();
  const made = await keepLastRows(onnxFile, graphs);
  expect(made).not.toBeNull();
  expect(await keepLastRows(onnxFile, graphs)).toBe(made);
  expect(await readdir(graphs)).toHaveLength(1);
  expect(await keepLastRows(made ?? '', graphs)).toBeNull();

  const session = await openSession(made ?? '', cpu);
  expect(session.inputNames).toContain('num_logits_to_keep');
  await session.release();

  const [plain, rewritten] = [
    await openDecoder(onnxFile, config, cpu),
    await openDecoder(onnxFile, config, { ...cpu, graphs }),
  ];
  onTestFinished(async () => {
    await plain.release();
    await rewritten.release();
  });
  for (const rows of [1, 3, prompt.length]) {
    const expected = await plain.empty.fork(0).append(prompt, rows);
    const given = await rewritten.empty.fork(0).append(prompt, rows);
    for (let row = 0; row < rows; row++) expect(given.row(row)).toEqual(expected.row(row));
  }
});

test('graphs with embedded or half-precision weights are rewritten too', async () => {
  for (const file of [
    packageFile('fixtures/model/onnx/model.onnx'),
    join(referenceFolder, 'onnx/model_fp16cache.onnx'),
  ]) {
    if ((await readOnnxLayout(file))?.values.has('num_logits_to_keep')) continue;
    const made = await keepLastRows(file, await temporaryFolder());
    const session = await openSession(made ?? '', cpu);
    expect(session.inputNames).toContain('num_logits_to_keep');
    await session.release();
  }
});

test('a replaced file is rewritten again', async () => {
  const folder = await copyOfReference();
  const graphs = await temporaryFolder();
  const file = join(folder, 'onnx', 'model.onnx');
  const first = await keepLastRows(file, graphs);
  await utimes(file, 1, 1);
  expect(await keepLastRows(file, graphs)).not.toBe(first);
});

/** How a model's folder may lead to a file outside it. */
const ways: Readonly<Record<string, (data: string, elsewhere: string) => Promise<void>>> = {
  'a link': (data, elsewhere) => symlink(elsewhere, data),
  'a relative link': (data, elsewhere) => symlink(relative(dirname(data), elsewhere), data),
  'a link to a link': async (data, elsewhere) => {
    await symlink(elsewhere, `${elsewhere}.link`);
    await symlink(`${elsewhere}.link`, data);
  },
  'a link through a linked folder': async (data, elsewhere) => {
    await symlink(dirname(elsewhere), `${data}.folder`);
    await symlink(join(`${data}.folder`, basename(elsewhere)), data);
  },
  'a link to a folder': (data, elsewhere) => symlink(dirname(elsewhere), data),
  'a link to nothing': (data, elsewhere) => symlink(`${elsewhere}.missing`, data),
};

test.for(Object.entries(ways))('weights behind %s out of the model are not copied', async ([, lead]) => {
  const folder = await copyOfReference();
  const file = join(folder, 'onnx', 'model.onnx');
  const [name = ''] = (await readOnnxLayout(file))?.dataFiles ?? [];
  const data = join(folder, 'onnx', name);
  const elsewhere = join(await temporaryFolder(), 'private');
  await rename(data, elsewhere);
  await lead(data, elsewhere);
  const graphs = await temporaryFolder();
  expect(await keepLastRows(file, graphs)).toBeNull();
  expect(await readdir(graphs)).toEqual([]);
  expect((await stat(elsewhere)).nlink).toBe(1);
});

test('weights in the hub cache’s contents belong to the model', async () => {
  const copy = await copyOfReference();
  const repository = join(await temporaryFolder(), 'models--org--name');
  const onnx = join(repository, 'snapshots', 'c0ffee', 'onnx');
  await mkdir(join(repository, 'blobs'), { recursive: true });
  await mkdir(onnx, { recursive: true });
  const [name = ''] = (await readOnnxLayout(join(copy, 'onnx/model.onnx')))?.dataFiles ?? [];
  for (const part of ['model.onnx', name]) {
    await rename(join(copy, 'onnx', part), join(repository, 'blobs', part));
    await symlink(join('../../../blobs', part), join(onnx, part));
  }
  expect(await keepLastRows(join(onnx, 'model.onnx'), await temporaryFolder())).not.toBeNull();
});

test('invalid graphs, and those that cannot be stored, stay as they are', async () => {
  const folder = await temporaryFolder();
  await copyFile(packageFile('package.json'), join(folder, 'model.onnx'));
  expect(await keepLastRows(join(folder, 'model.onnx'), folder)).toBeNull();
  const { onnxFile } = await openModelFolder(referenceFolder);
  expect(await keepLastRows(onnxFile, join(folder, 'model.onnx', 'below'))).toBeNull();
});
