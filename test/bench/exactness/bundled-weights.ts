import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../lib/core/random.ts';
import { packageFile } from '../../../lib/files/package.ts';

export interface FloatTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** config.json and tensors with transformers' names, matrices as [rows (outputs), columns]. */
export interface FloatModel {
  readonly config: Readonly<Record<string, unknown>>;
  readonly tensors: Readonly<Record<string, FloatTensor>>;
}

/**
 * The bundled model in float: its 8-bit weights, each moved by up to half a step at random. Without that,
 * rounding to 8 bits by row would give the stored weights back, which no model of others does.
 */
export function bundledWeights(seed: number, width: 256 | 512 = 256): FloatModel {
  const folder = packageFile('fixtures/exactness');
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Record<string, unknown>;
  const tensors = readTensors(readFileSync(join(folder, 'onnx/model.onnx')));
  const model = { config: { ...config, head_dim: 64 }, tensors };
  return dithered(width === 256 ? model : twiceAsWide(model), seed);
}

function dithered({ config, tensors }: FloatModel, seed: number): FloatModel {
  const random = seededRandom(seed);
  const moved = Object.entries(tensors).map(([name, { shape, data }]) => {
    const [, columns] = shape;
    if (columns === undefined) return [name, { shape, data }];
    const copy = data.slice();
    for (let start = 0; start < copy.length; start += columns) {
      const row = copy.subarray(start, start + columns);
      const step = row.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127;
      row.forEach((value, i) => {
        row[i] = value + (random() - 0.5) * step;
      });
    }
    return [name, { shape, data: copy }];
  });
  return { config, tensors: Object.fromEntries(moved) as FloatModel['tensors'] };
}

/** The same function with each channel of the residual stream twice (Net2Net, arXiv 1511.05641). */
function twiceAsWide({ config, tensors }: FloatModel): FloatModel {
  const wide = Object.entries(tensors).map(([name, tensor]): [string, FloatTensor] => {
    if (name === 'model.norm.weight') return [name, repeated(tensor, 0.5)];
    if (/norm|embed/.test(name)) return [name, repeated(tensor, 1)];
    if (/(q|k|v|gate|up)_proj\.weight/.test(name)) return [name, repeated(tensor, 0.5)];
    if (/(o|down)_proj\.weight/.test(name)) {
      const [rows = 0, columns = 0] = tensor.shape;
      const data = new Float32Array(2 * rows * columns);
      data.set(tensor.data);
      data.set(tensor.data, rows * columns);
      return [name, { shape: [2 * rows, columns], data }];
    }
    return [name, tensor];
  });
  return { config: { ...config, hidden_size: 512 }, tensors: Object.fromEntries(wide) };
}

/** [rows, columns] → [rows, 2 · columns] times `factor`; of a vector, [2 · columns]. */
function repeated({ shape, data }: FloatTensor, factor: number): FloatTensor {
  const columns = shape.at(-1) ?? 0;
  const copy = new Float32Array(2 * data.length);
  data.forEach((value, i) => {
    const at = Math.floor(i / columns) * 2 * columns + (i % columns);
    copy[at] = value * factor;
    copy[at + columns] = value * factor;
  });
  return { shape: [...shape.slice(0, -1), 2 * columns], data: copy };
}

/** The initializers of an ONNX file that training wrote, dequantised and transposed back. */
function readTensors(file: Buffer): Record<string, FloatTensor> {
  const raw = new Map<string, { dims: number[]; bytes: Uint8Array; type: number }>();
  for (const [field, graph] of fields(file)) {
    if (field !== 7) continue;
    for (const [part, content] of fields(graph as Buffer)) {
      if (part !== 5) continue;
      const entry = { name: '', dims: [] as number[], bytes: new Uint8Array() as Uint8Array, type: 0 };
      for (const [key, value] of fields(content as Buffer)) {
        if (key === 1) entry.dims.push(...(typeof value === 'number' ? [value] : varints(value)));
        if (key === 2) entry.type = value as number;
        if (key === 8) entry.name = String(value);
        if (key === 9) entry.bytes = value as Buffer;
      }
      raw.set(entry.name, entry);
    }
  }
  const floats = (name: string): Float32Array => {
    const { bytes = new Uint8Array() } = raw.get(name) ?? {};
    return new Float32Array(Uint8Array.from(bytes).buffer);
  };
  const tensors: Record<string, FloatTensor> = {};
  for (const [name, { dims, bytes, type }] of raw) {
    if (!name.startsWith('model.') || name.endsWith('_scale')) continue;
    if (type === FLOAT) {
      tensors[name] = { shape: dims, data: floats(name) };
      continue;
    }
    const scales = floats(`${name}_scale`);
    const [rows = 0, columns = 0] = dims;
    const isTable = name.includes('embed');
    const data = new Float32Array(rows * columns);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const value =
          (((bytes[row * columns + column] ?? 0) << 24) >> 24) * (scales[isTable ? row : column] ?? 0);
        data[isTable ? row * columns + column : column * rows + row] = value;
      }
    }
    tensors[name] = { shape: isTable ? dims : [columns, rows], data };
  }
  return tensors;
}

const FLOAT = 1;

/** The fields of a protobuf message: varints as numbers, everything else as bytes. */
function* fields(bytes: Buffer): Generator<[field: number, value: number | Buffer]> {
  for (let at = 0; at < bytes.length; ) {
    const [tag, afterTag] = varint(bytes, at);
    const kind = tag % 8;
    if (kind === 0) {
      const [value, end] = varint(bytes, afterTag);
      yield [Math.floor(tag / 8), value];
      at = end;
      continue;
    }
    const [length, start] = kind === 2 ? varint(bytes, afterTag) : [kind === 1 ? 8 : 4, afterTag];
    yield [Math.floor(tag / 8), bytes.subarray(start, start + length)];
    at = start + length;
  }
}

function varints(bytes: Buffer): number[] {
  const values: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [value, end] = varint(bytes, at);
    values.push(value);
    at = end;
  }
  return values;
}

function varint(bytes: Buffer, start: number): [value: number, end: number] {
  let value = 0;
  for (let at = start; ; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return [value, at + 1];
  }
}
