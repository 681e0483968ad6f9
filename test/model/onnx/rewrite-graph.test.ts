import { spawnSync } from 'node:child_process';
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { temporaryName } from '../../../lib/files/write-file-atomic.ts';
import { buildModel } from '../../../lib/model/build/build-model.ts';
import { encodeModel } from '../../../lib/model/build/onnx-proto.ts';
import { configSchema } from '../../../lib/model/model-files.ts';
import { openModelFolder } from '../../../lib/model/model-folder.ts';
import { openDecoder } from '../../../lib/model/onnx/decoder.ts';
import { readOnnxLayout } from '../../../lib/model/onnx/rewrite/onnx-layout.ts';
import { rewriteGraph } from '../../../lib/model/onnx/rewrite/rewrite-graph.ts';
import { openSession } from '../../../lib/model/onnx/session.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { golden } from '../build/golden.ts';
import { copyOfReference, readGolden, referenceFolder } from '../reference-model.ts';

const cpu = { threads: 1, device: 'cpu' } as const;

test('a graph returns only the last rows of logits, the same as before, and is rewritten once', async () => {
  // Weights are linked, not copied, which one file system allows.
  const { config, onnxFile } = await openModelFolder(await copyOfReference());
  const { prompt } = await readGolden();
  const graphs = await temporaryFolder();
  const made = await rewriteGraph(onnxFile, graphs, true);
  expect(made).not.toBeNull();
  expect(await rewriteGraph(onnxFile, graphs, true)).toBe(made);
  expect(await readdir(graphs)).toHaveLength(1);
  expect(await rewriteGraph(made ?? '', graphs, true)).toBeNull();

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

async function referenceWith(graph: string) {
  const folder = await copyOfReference();
  return { file: join(folder, graph), folder };
}

/** Exports of each usual form. */
const exports: Readonly<Record<string, () => Promise<{ file: string; folder: string }>>> = {
  'float caches': async () => referenceWith('onnx/model.onnx'),
  'half-precision caches': async () => referenceWith('onnx/model_fp16cache.onnx'),
  'embedded weights': async () => {
    const folder = packageFile('fixtures/model');
    return { file: join(folder, 'onnx/model.onnx'), folder };
  },
  GroupQueryAttention: async () => {
    const { folder } = golden('qwen2');
    const target = await temporaryFolder();
    const cache = 'whole cache';
    return { file: await buildModel({ source: folder, target, weightType: 'fp32', cache }), folder };
  },
};

test.for(Object.entries(exports))(
  'a graph with %s returns new rows in place of whole caches, with the same logits',
  async ([, open]) => {
    const { file, folder } = await open();
    const made = (await rewriteGraph(file, await temporaryFolder(), true)) ?? '';
    const session = await openSession(made, cpu);
    expect(session.outputNames).toEqual(['logits', 'new_rows']);
    await session.release();

    const config = configSchema.parse(JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')));
    const decoders = [await openDecoder(file, config, cpu), await openDecoder(made, config, cpu)];
    onTestFinished(async () => {
      for (const decoder of decoders) await decoder.release();
    });
    const logits = [];
    for (const { empty } of decoders) {
      const sequence = empty.fork(0);
      const rows = [await sequence.append([5, 6, 7, 8, 9, 10, 11], 2)];
      for (const id of [12, 13, 14, 15]) rows.push(await sequence.append([id], 1));
      rows.push(await sequence.append([16, 17, 18], 3));
      logits.push(rows.flatMap(one => Array.from({ length: one.rows }, (_, row) => one.row(row).slice())));
    }
    expect(logits[1]).toEqual(logits[0]);
  },
);

test('a replaced file is rewritten again', async () => {
  const folder = await copyOfReference();
  const graphs = await temporaryFolder();
  const file = join(folder, 'onnx', 'model.onnx');
  const first = await rewriteGraph(file, graphs, true);
  const { pid } = spawnSync(process.execPath, ['--version']);
  const killed = temporaryName('0.1.0-killed').replace(`-${process.pid}-`, `-${pid}-`);
  const earlier = ['0.0.9-of-another-version', 'fb18c52e9a88a742a3738315392b8624', killed];
  for (const name of earlier) await mkdir(join(graphs, name));
  await utimes(file, 1, 1);
  const second = await rewriteGraph(file, graphs, true);
  expect(second).not.toBe(first);
  // Copies of other versions of hefix, and of the graph as it was, are removed; those of other graphs stay.
  expect(await readdir(graphs)).toEqual([basename(dirname(second ?? ''))]);
  await rewriteGraph(join(await copyOfReference(), 'onnx', 'model.onnx'), graphs, true);
  expect(await readdir(graphs)).toHaveLength(2);
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
  expect(await rewriteGraph(file, graphs, true)).toBeNull();
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
  expect(await rewriteGraph(join(onnx, 'model.onnx'), await temporaryFolder(), true)).not.toBeNull();
});

test('invalid graphs, and those that cannot be stored, stay as they are', async () => {
  const folder = await temporaryFolder();
  await copyFile(packageFile('package.json'), join(folder, 'model.onnx'));
  expect(await rewriteGraph(join(folder, 'model.onnx'), folder, true)).toBeNull();
  const { onnxFile } = await openModelFolder(referenceFolder);
  expect(await rewriteGraph(onnxFile, join(folder, 'model.onnx', 'below'), true)).toBeNull();
});

test('a graph whose caches are not the past with new rows keeps them', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'model.onnx');
  const cache = (name: string) => ({ name, type: 'float32', dims: [1, 2, 'past', 16] }) as const;
  const [past, present] = [cache('past_key_values.0.key'), cache('present.0.key')];
  const ids = { name: 'input_ids', type: 'int64', dims: [1, 'new'] } as const;
  const node = { domain: '', outputs: [present.name], attributes: {} };
  for (const maker of [
    { ...node, operator: 'Identity', inputs: [past.name] },
    { ...node, operator: 'Identity', inputs: [present.name] },
    { ...node, operator: 'Concat', inputs: [present.name, past.name] },
  ]) {
    const graph = { name: 'g', nodes: [maker], initializers: [], inputs: [ids, past], outputs: [present] };
    await writeFile(file, encodeModel(graph, 'test'));
    expect(await rewriteGraph(file, join(folder, 'graphs'), true)).toBeNull();
  }
});
