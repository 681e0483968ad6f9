import { cpSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HefixError } from '../../../lib/core/errors.ts';
import { buildModel } from '../../../lib/model/build/build-model.ts';
import { openCheckpoint } from '../../../lib/model/build/checkpoint/checkpoint.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { golden } from './golden.ts';
import { safetensors, safetensorsOf } from './safetensors.ts';

const eight = Buffer.alloc(8);
const tensor = (start: number, end: number, shape: unknown = [2], dtype = 'F32') => ({
  dtype,
  shape,
  data_offsets: [start, end],
});

describe('a safetensors file', () => {
  test.each<[string, Buffer]>([
    ['is empty', Buffer.alloc(0)],
    ['is shorter than its length', Buffer.alloc(5)],
    ['has a header longer than the file', safetensorsOf({ a: tensor(0, 8) }, eight).subarray(0, 20)],
    ['has a header of 2^64 bytes', Buffer.concat([Buffer.alloc(8, 0xff), Buffer.alloc(100)])],
    ['is cut short', safetensorsOf({ a: tensor(0, 8) }, eight.subarray(0, 7))],
    ['has bytes too many', safetensorsOf({ a: tensor(0, 8) }, Buffer.alloc(9))],
    ['has no JSON in its header', safetensorsOf('{"a": {"dtype"')],
    ['has a list as its header', safetensorsOf([])],
    ['has null as its header', safetensorsOf('null')],
    ['nests lists without end', safetensorsOf('['.repeat(100_000))],
    ['has tensors that overlap', safetensorsOf({ a: tensor(0, 8), b: tensor(4, 12) }, Buffer.alloc(12))],
    [
      'has tensors that overlap by as much as is left over',
      safetensorsOf({ a: tensor(0, 8), b: tensor(4, 12) }, Buffer.alloc(16)),
    ],
    ['has two tensors in one place', safetensorsOf({ a: tensor(0, 8), b: tensor(0, 8) }, eight)],
    ['has a gap', safetensorsOf({ a: tensor(4, 12) }, Buffer.alloc(12))],
    ['has a negative offset', safetensorsOf({ a: tensor(-8, 0) }, eight)],
    ['ends before it begins', safetensorsOf({ a: tensor(8, 0) }, eight)],
    [
      'has an offset that is no number',
      safetensorsOf({ a: { ...tensor(0, 8), data_offsets: ['0', '8'] } }, eight),
    ],
    ['has a shape of another size', safetensorsOf({ a: tensor(0, 8, [3]) }, eight)],
    [
      'has a shape of 2^60',
      safetensorsOf(`{"a":{"dtype":"F32","shape":[1152921504606846976],"data_offsets":[0,8]}}`, eight),
    ],
    ['has a shape whose product overflows', safetensorsOf({ a: tensor(0, 8, [2 ** 40, 2 ** 40]) }, eight)],
    ['lies behind the end of the file', safetensorsOf({ a: tensor(0, 2 ** 50, [2 ** 48]) }, eight)],
    ['has a name of a megabyte', safetensorsOf({ ['a'.repeat(2 ** 20)]: tensor(0, 8) }, eight)],
    ['has a name of two lines', safetensorsOf({ 'a\nb': tensor(0, 8) }, eight)],
    ['has a negative dimension', safetensorsOf({ a: tensor(0, 8, [-2]) }, eight)],
    ['has an unknown type', safetensorsOf({ a: tensor(0, 8, [2], 'Q7') }, eight)],
    [
      'names a tensor twice',
      safetensorsOf(`{"a":${JSON.stringify(tensor(0, 8))},"a":${JSON.stringify(tensor(0, 8))}}`, eight),
    ],
    [
      'names a tensor twice, once in escapes',
      safetensorsOf(`{"a":${JSON.stringify(tensor(0, 8))},"\\u0061":${JSON.stringify(tensor(0, 8))}}`, eight),
    ],
  ])('that %s is refused', async (_, bytes) => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'model.safetensors'), bytes);
    await expectRefusal(openCheckpoint(folder), 'MODEL_FILE_INVALID');
  });

  test('may repeat a name inside an entry', async () => {
    const folder = await temporaryFolder();
    const header = { __metadata__: { a: 'x' }, a: tensor(0, 8), dtype: tensor(8, 16) };
    writeFileSync(join(folder, 'model.safetensors'), safetensorsOf(header, Buffer.alloc(16)));
    const checkpoint = await openCheckpoint(folder);
    expect([...checkpoint.names]).toEqual(['a', 'dtype']);
    await checkpoint.close();
  });

  test('a safetensors file with any byte changed gives weights or a one-sentence error', async () => {
    const folder = await temporaryFolder();
    const whole = readFileSync(join(golden('llama-linear').folder, 'model.safetensors'));
    const headerEnd = 8 + Number(whole.readBigUInt64LE());
    await fc.assert(
      fc.asyncProperty(fc.nat(headerEnd - 1), fc.nat(255), async (at, byte) => {
        const spoiled = Buffer.from(whole);
        spoiled[at] = byte;
        writeFileSync(join(folder, 'model.safetensors'), spoiled);
        const checkpoint = await openCheckpoint(folder).catch((error: unknown) => error);
        if (checkpoint instanceof Error) expect(checkpoint).toBeInstanceOf(HefixError);
        else await (checkpoint as Awaited<ReturnType<typeof openCheckpoint>>).close();
      }),
      { numRuns: 200 },
    );
  });
});

describe('an index', () => {
  test.each([
    ['is no JSON', '{'],
    ['has no map', '{}'],
    ['leads out of the folder', '{"weight_map":{"a":"../other/model.safetensors"}}'],
    ['names an absolute path', '{"weight_map":{"a":"/etc/model.safetensors"}}'],
  ])('that %s is refused', async (_, text) => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'model.safetensors.index.json'), text);
    await expectRefusal(openCheckpoint(folder), 'MODEL_FILE_INVALID');
  });

  test('an index that names a missing file, or a tensor that is not in it, is refused', async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'model.safetensors.index.json'), '{"weight_map":{"a":"m.safetensors"}}');
    await expectRefusal(openCheckpoint(folder), 'MODEL_FILE_MISSING');
    writeFileSync(join(folder, 'm.safetensors'), safetensorsOf({ b: tensor(0, 8) }, eight));
    await expectRefusal(openCheckpoint(folder), 'MODEL_FILE_INVALID');
  });
});

describe('config.json', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown architecture', { architectures: ['MambaForCausalLM'] }, 'MODEL_ARCHITECTURE_UNKNOWN'],
    ['an architecture of two lines', { architectures: ['A\nB'] }, 'MODEL_FILE_INVALID'],
    ['no architecture', { architectures: undefined }, 'MODEL_FILE_INVALID'],
    ['an empty list of architectures', { architectures: [] }, 'MODEL_FILE_INVALID'],
    ['no layers', { num_hidden_layers: undefined }, 'MODEL_FILE_INVALID'],
    ['a billion layers', { num_hidden_layers: 1e9 }, 'MODEL_FILE_INVALID'],
    ['minus one head', { num_attention_heads: -1 }, 'MODEL_FILE_INVALID'],
    ['half a head', { num_attention_heads: 1.5 }, 'MODEL_FILE_INVALID'],
    ['key-value heads that do not divide the heads', { num_key_value_heads: 3 }, 'MODEL_FILE_INVALID'],
    ['heads of an odd size', { head_dim: 17 }, 'MODEL_CONFIG_UNSUPPORTED'],
    ['a vocabulary of 2^50', { vocab_size: 2 ** 50 }, 'MODEL_FILE_INVALID'],
    ['another vocabulary than the weights', { vocab_size: 300 }, 'MODEL_FILE_INVALID'],
    ['a context of 2^40', { max_position_embeddings: 2 ** 40 }, 'MODEL_FILE_INVALID'],
    ['a text for a number', { hidden_size: '64' }, 'MODEL_FILE_INVALID'],
    ['more layers than the weights', { num_hidden_layers: 3 }, 'MODEL_FILE_INVALID'],
    ['fewer layers than the weights', { num_hidden_layers: 1 }, 'MODEL_CONFIG_UNSUPPORTED'],
    ['an unknown activation', { hidden_act: 'gelu' }, 'MODEL_CONFIG_UNSUPPORTED'],
    ['sliding windows', { use_sliding_window: true }, 'MODEL_CONFIG_UNSUPPORTED'],
    [
      'weights of another tool',
      { quantization_config: { quant_method: 'gptq' } },
      'MODEL_CONFIG_UNSUPPORTED',
    ],
    [
      'rope scaling of each kind of layer',
      { rope_parameters: { full_attention: { rope_theta: 1e4, rope_type: 'default' } } },
      'MODEL_CONFIG_UNSUPPORTED',
    ],
    [
      'an unknown setting of rope scaling',
      { rope_scaling: { type: 'yarn', factor: 2, turns: 3 } },
      'MODEL_CONFIG_UNSUPPORTED',
    ],
    [
      'an unknown rope scaling',
      { rope_scaling: { type: 'longrope', factor: 2 } },
      'MODEL_CONFIG_UNSUPPORTED',
    ],
    ['a rope scaling without factor', { rope_scaling: { type: 'linear' } }, 'MODEL_FILE_INVALID'],
    ['a rope scaling by zero', { rope_scaling: { type: 'linear', factor: 0 } }, 'MODEL_FILE_INVALID'],
    ['a rope scaling that is a text', { rope_scaling: 'linear' }, 'MODEL_FILE_INVALID'],
    [
      'a llama3 scaling without a band',
      {
        rope_scaling: {
          rope_type: 'llama3',
          factor: 8,
          low_freq_factor: 4,
          high_freq_factor: 4,
          original_max_position_embeddings: 16,
        },
      },
      'MODEL_FILE_INVALID',
    ],
    [
      'norms of the query that the weights do not have',
      { architectures: ['Qwen3ForCausalLM'] },
      'MODEL_FILE_INVALID',
    ],
  ])('config.json with %s is refused', async (_, changes, code) => {
    const folder = await copyOf('llama-linear');
    const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as object;
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, ...changes }));
    await expectRefusal(build(folder), code);
  });

  test.each(['', '[]', 'null', '3', '{"architectures":'])('config.json that is %j is refused', async text => {
    const folder = await copyOf('llama-linear');
    writeFileSync(join(folder, 'config.json'), text);
    await expectRefusal(build(folder), 'MODEL_FILE_INVALID');
  });
});

describe('weights', () => {
  test('weights of integers are refused', async () => {
    const folder = await copyOf('llama-linear');
    const path = join(folder, 'model.safetensors');
    const bytes = readFileSync(path).toString('latin1').replace('"dtype":"BF16"', '"dtype":"I16" ');
    writeFileSync(path, bytes, 'latin1');
    await expectRefusal(build(folder), 'MODEL_FILE_INVALID');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('weights with a %d are refused', async value => {
    const folder = await temporaryFolder();
    const data = Float32Array.of(1, value);
    writeFileSync(join(folder, 'model.safetensors'), safetensors({ a: { shape: [2], data } }));
    const checkpoint = await openCheckpoint(folder);
    await expectRefusal(checkpoint.rows('a').next(), 'MODEL_FILE_INVALID');
    await checkpoint.close();
  });

  test('weights that end early leave no partial graph', async () => {
    const folder = await copyOf('llama-linear');
    const target = await temporaryFolder();
    let cut = false;
    const onProgress = (): void => {
      if (!cut) truncateSync(join(folder, 'model.safetensors'), 5000);
      cut = true;
    };
    await expectRefusal(
      buildModel({ source: folder, target, weightType: 'q4', onProgress }),
      'MODEL_FILE_INVALID',
    );
    expect(readdirSync(target)).toEqual([]);
  });

  test('are not written without a folder', async () => {
    const target = join(await temporaryFolder(), 'missing');
    const { folder } = golden('llama-linear');
    await expectRefusal(buildModel({ source: folder, target, weightType: 'fp32' }), 'MODEL_NOT_BUILT');
  });
});

test('an aborted build ends with the reason and leaves nothing', async () => {
  const target = await temporaryFolder();
  const controller = new AbortController();
  const build = buildModel({
    source: golden('qwen3').folder,
    target,
    weightType: 'w8a8',
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('enough')),
  });
  await expect(build).rejects.toThrow('enough');
  expect(readdirSync(target)).toEqual([]);
});

async function copyOf(name: Parameters<typeof golden>[0]): Promise<string> {
  const folder = await temporaryFolder();
  cpSync(golden(name).folder, folder, { recursive: true });
  return folder;
}

async function build(source: string): Promise<string> {
  return await buildModel({ source, target: await temporaryFolder(), weightType: 'q4' });
}

async function expectRefusal(promise: Promise<unknown>, code: string): Promise<void> {
  const error = await promise.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(HefixError);
  expect(error).toMatchObject({ code, message: expect.stringMatching(/^[^\n]{1,400}\.$/) });
}
