import { describe, expect, test } from 'vitest';
import { selectFiles } from '../../../lib/model/hub/pull-model.ts';

const texts = ['config.json', 'generation_config.json', 'tokenizer.json', 'tokenizer_config.json'];
const onnx = ['', '_fp16', '_q4', '_q4f16', '_quantized'].map(ending => `onnx/model${ending}.onnx`);
const shards = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];

describe('the files of a repository with exports', () => {
  const paths = [
    'README.md',
    'vocab.json',
    ...texts,
    ...onnx,
    'onnx/model_q4.onnx_data',
    'onnx/model.onnx_data',
    'onnx/model.onnx_data_1',
    ...shards,
  ];

  test('auto takes the fastest export on a CPU, and its data', () => {
    const expected = [...texts, 'onnx/model_q4.onnx', 'onnx/model_q4.onnx_data'];
    expect(selectFiles(paths, 'auto')).toEqual({ files: expected, action: 'run', weightType: 'q4' });
  });

  test('a weight type selects its own files, with all parts of the data and no others', () => {
    const expected = [...texts, 'onnx/model.onnx', 'onnx/model.onnx_data', 'onnx/model.onnx_data_1'];
    expect(selectFiles(paths, 'fp32')?.files).toEqual(expected);
    expect(selectFiles(paths, 'q4f16')?.files).toEqual([...texts, 'onnx/model_q4f16.onnx']);
  });

  test('a weight type that only hefix builds selects the safetensors', () => {
    const index = 'model.safetensors.index.json';
    expect(selectFiles([...paths, index], 'w8a8')).toEqual({
      files: [...texts, index, ...shards],
      action: 'build',
      weightType: 'w8a8',
    });
  });

  test('an unavailable weight type selects nothing', () => {
    expect(selectFiles(paths, 'bnb4')).toBeNull();
  });
});

test('a single safetensors file is preferred to parts', () => {
  const paths = [...texts, 'model.safetensors', 'model.safetensors.index.json', ...shards];
  expect(selectFiles(paths, 'auto')).toEqual({
    files: [...texts, 'model.safetensors'],
    action: 'build',
    weightType: 'auto',
  });
});

test('a graph next to config.json also counts', () => {
  expect(selectFiles([...texts, 'model.onnx'], 'auto')?.files).toContain('model.onnx');
});

test.each([
  ['no tokenizer', ['config.json', 'model.safetensors']],
  ['no configuration', ['tokenizer.json', 'model.safetensors']],
  ['weights of other programs', [...texts, 'pytorch_model.bin', 'model.gguf']],
  ['parts without an index', [...texts, ...shards]],
])('a repository with %s selects nothing', (_, paths) => {
  expect(selectFiles(paths, 'auto')).toBeNull();
});
