import { modelConfigUnsupported, modelFileInvalid } from '../../errors.ts';
import type { Linear, Matrix } from '../linear.ts';
import { type Checkpoint, product } from './checkpoint.ts';

/** The tensors of a checkpoint by name and shape; keeps track of the tensors that were used. */
export interface ModelWeights {
  /** `parts`: tensors [rows, columns] to stack. */
  matrix(name: string, parts: Readonly<Record<string, number>>, columns: number): Matrix;
  /** `parts`: layers whose .weight [rows, columns] and, if present, .bias [rows] are stacked. */
  linear(name: string, parts: Readonly<Record<string, number>>, columns: number): Promise<Linear>;
  /** `parts`: tensors [length], or of several dimensions, to concatenate. */
  vector(parts: Readonly<Record<string, number | readonly number[]>>): Promise<Float32Array>;
  has(name: string): boolean;
  /**
   * Throws MODEL_CONFIG_UNSUPPORTED if a tensor was not used: the model has parts that hefix does not know.
   */
  assertAllUsed(ignored: RegExp): void;
}

/** Throws MODEL_FILE_INVALID if a tensor is missing or has another shape. */
export function modelWeights(checkpoint: Checkpoint, folder: string): ModelWeights {
  const used = new Set<string>();
  const expectShape = (name: string, expected: readonly number[]): void => {
    used.add(name);
    const shape = checkpoint.shape(name);
    if (shape === null) throw modelFileInvalid(folder, `it has no tensor ${name}`);
    if (shape.join() !== expected.join()) {
      throw modelFileInvalid(
        folder,
        `${name} has the shape [${shape}] where config.json asks for [${expected}]`,
      );
    }
  };
  const matrix: ModelWeights['matrix'] = (name, parts, columns) => {
    for (const [part, rows] of Object.entries(parts)) expectShape(part, [rows, columns]);
    return {
      name,
      rows: Object.values(parts).reduce((sum, rows) => sum + rows, 0),
      columns,
      async *read() {
        for (const part of Object.keys(parts)) yield* checkpoint.rows(part);
      },
    };
  };
  const vector: ModelWeights['vector'] = async parts => {
    const shapes = Object.entries(parts).map(([part, shape]) => [part, [shape].flat()] as const);
    for (const [part, shape] of shapes) expectShape(part, shape);
    const joined = new Float32Array(shapes.reduce((sum, [, shape]) => sum + product(shape), 0));
    let end = 0;
    for (const part of Object.keys(parts)) {
      for await (const piece of checkpoint.rows(part)) {
        joined.set(piece, end);
        end += piece.length;
      }
    }
    return joined;
  };
  return {
    matrix,
    vector,
    has: name => checkpoint.names.has(name),
    async linear(name, parts, columns) {
      const named = (ending: string) =>
        Object.fromEntries(Object.entries(parts).map(([part, rows]) => [part + ending, rows]));
      const biases = named('.bias');
      const hasBias = Object.keys(biases).some(bias => checkpoint.names.has(bias));
      return {
        matrix: matrix(name, named('.weight'), columns),
        bias: hasBias ? await vector(biases) : null,
      };
    },
    assertAllUsed(ignored) {
      const stranger = [...checkpoint.names].find(name => !used.has(name) && !ignored.test(name));
      if (stranger !== undefined) throw modelConfigUnsupported(folder, `the tensor ${stranger}`);
    },
  };
}
