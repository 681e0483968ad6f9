import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Device } from '../../core/choices.ts';
import { encodeModel } from '../build/onnx-proto.ts';
import {
  modelDataIncomplete,
  modelDeviceUnavailable,
  modelOnnxInvalid,
  modelOnnxMissing,
} from '../errors.ts';
import { env, InferenceSession, listSupportedBackends, Tensor } from './runtime.ts';

export interface SessionOptions {
  readonly threads: number;
  readonly device: Device;
  /** Whether memory that a pass frees is kept for the next; defaults to true. */
  readonly keepsMemory?: boolean;
}

/**
 * Opens a graph, from its file or from its bytes. All sessions are opened here, so that what is tested and measured
 * computes as runs do. Throws MODEL_ONNX_INVALID, MODEL_DATA_INCOMPLETE and MODEL_DEVICE_UNAVAILABLE.
 */
export async function openSession(
  graph: string | Uint8Array,
  { threads, device, keepsMemory = true }: SessionOptions,
): Promise<InferenceSession> {
  const backends = listSupportedBackends().map(({ name }) => name);
  if (!backends.includes(device)) {
    throw modelDeviceUnavailable(device, backends, `onnxruntime-node has no ${device} on this system`);
  }
  // onnxruntime reports missing devices on stderr at every log level of the session.
  env.logLevel = 'fatal';
  try {
    const x64quantprecision = (await saturates()) ? '1' : '0';
    // The declarations have one overload for each kind of graph.
    return await InferenceSession.create(graph as string, {
      executionProviders: device === 'cpu' ? ['cpu'] : [device, 'cpu'],
      intraOpNumThreads: threads,
      // The memory planner's allocations grow with each new input length.
      enableMemPattern: false,
      enableCpuMemArena: keepsMemory,
      logSeverityLevel: FATAL,
      extra: { session: { x64quantprecision, intra_op: { spin_duration_us: SPIN_MICROSECONDS } } },
    });
  } catch (cause) {
    const message = plainReason(cause);
    const file = typeof graph === 'string' ? graph : 'A graph in memory';
    if (device !== 'cpu') throw modelDeviceUnavailable(device, backends, message);
    throw /external (data|initializer)/i.test(message)
      ? modelDataIncomplete(file, message)
      : modelOnnxInvalid(file, message);
  }
}

/**
 * Whether kernels of this processor add pairs of 8-bit products in 16 bits and saturate, as those for x64 without VNNI
 * do: texts of w8a8 models become wrong. With the option x64quantprecision, onnxruntime computes with unsigned weights
 * instead, which takes several times as long on processors that have faster kernels for signed ones. So it is tried, on
 * one product, once in each thread.
 */
function saturates(): Promise<boolean> {
  saturation ??= process.arch === 'x64' ? findSaturation() : Promise.resolve(false);
  return saturation;
}

let saturation: Promise<boolean> | undefined;

async function findSaturation(): Promise<boolean> {
  const [rows, columns] = [4, 16];
  const weights = new Int8Array(rows * columns).fill(127);
  const session = await InferenceSession.create(eightBitProduct(weights, rows, 0), {
    intraOpNumThreads: 1,
    logSeverityLevel: FATAL,
  });
  try {
    const codes = new Tensor('uint8', new Uint8Array(rows).fill(255), [1, rows]);
    const { product } = await session.run({ codes });
    return ((product as Tensor).data as Float32Array).some(sum => sum !== rows * 255 * 127);
  } finally {
    await session.release();
  }
}

/** The bytes of a graph that multiplies `codes`, unsigned [tokens, rows], minus `zero`, by weights [rows, columns]. */
export function eightBitProduct(weights: Int8Array, rows: number, zero: number): Uint8Array {
  const columns = weights.length / rows;
  const one = new Uint8Array(Float32Array.of(1).buffer);
  const node = {
    operator: 'MatMulIntegerToFloat',
    domain: 'com.microsoft',
    inputs: ['codes', 'weights', 'one', 'one', 'zero'],
    outputs: ['product'],
    attributes: {},
  };
  const graph = {
    name: 'product',
    nodes: [node],
    initializers: [
      { name: 'weights', type: 'int8', dims: [rows, columns], data: new Uint8Array(weights.buffer) },
      { name: 'one', type: 'float32', dims: [], data: one },
      { name: 'zero', type: 'uint8', dims: [], data: Uint8Array.of(zero) },
    ],
    inputs: [{ name: 'codes', type: 'uint8', dims: ['tokens', rows] }],
    outputs: [{ name: 'product', type: 'float32', dims: ['tokens', columns] }],
  } as const;
  return encodeModel(graph, 'hefix');
}

/** The message of onnxruntime without the source locations that it starts with. */
function plainReason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message
    .replace(/^.*\.cc:\d+ (?:[\w:]+\(.*\)|\S+) /s, '')
    .trim()
    .replace(/\.$/, '');
}

/**
 * How long a thread waits for its next piece of work before it sleeps: longer than what one thread computes alone
 * between two matrices. onnxruntime's default took a sixth more processor time on two cores, from which nothing
 * became faster.
 */
const SPIN_MICROSECONDS = '50';

/** onnxruntime logs to stderr below this level; errors are thrown as well. */
const FATAL = 4;

/** Weight types of graphs, from the hub or built here, with their file name suffixes. */
const endings = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
  'q4-128': '_q4-128',
  w8a8: '_w8a8',
} as const;

export type FixedWeightType = keyof typeof endings;

/** For findOnnxFile, `auto` is fp32 if present, else the first of the others in this order, else any model*.onnx. */
export type WeightType = 'auto' | FixedWeightType;

/** `model_q4.onnx` */
export function onnxFileName(weightType: FixedWeightType): string {
  return `model${endings[weightType]}.onnx`;
}

/** The graph with the same weights for several sequences: `sequences_w8a8.onnx` next to `model_w8a8.onnx`. */
export function sequencesFile(graph: string): string {
  return join(dirname(graph), basename(graph).replace(/^model/, 'sequences'));
}

/**
 * The path of the graph to run: in the subfolder onnx, as on the hub, or in the folder itself. Throws
 * MODEL_ONNX_MISSING.
 */
export async function findOnnxFile(folder: string, weightType: WeightType): Promise<string> {
  const wanted = weightType === 'auto' ? Object.values(endings) : [endings[weightType]];
  for (const directory of [join(folder, 'onnx'), folder]) {
    const names = (await readdir(directory).catch(() => []))
      .filter(name => /^model.*\.onnx$/.test(name))
      .sort();
    const exact = wanted.map(ending => `model${ending}.onnx`).find(name => names.includes(name));
    const name = exact ?? (weightType === 'auto' ? names[0] : undefined);
    if (name !== undefined) return join(directory, name);
  }
  const missing = weightType === 'auto' ? 'onnx/model.onnx' : `onnx/model${endings[weightType]}.onnx`;
  throw modelOnnxMissing(folder, missing);
}
