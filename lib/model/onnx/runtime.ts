import { createRequire } from 'node:module';
import type * as onnxruntime from 'onnxruntime-node';
import { disableTelemetry } from './telemetry.ts';

disableTelemetry();
// Not imported: imports are evaluated before anything else in a module, so before telemetry is off.
const runtime = createRequire(import.meta.url)('onnxruntime-node') as typeof onnxruntime;

export const { env, InferenceSession, listSupportedBackends, Tensor } = runtime;
export type InferenceSession = onnxruntime.InferenceSession;
/** The results of a pass, by name. */
export type Outputs = onnxruntime.InferenceSession.OnnxValueMapType;
export type ValueMetadata = onnxruntime.InferenceSession.ValueMetadata;
export type Tensor = onnxruntime.Tensor;

/**
 * onnxruntime-node as it is used here. Its tensors hold half-precision numbers in a Float16Array if there is one, which
 * its binding then reads as empty; without it, they hold the bits in a Uint16Array. The package looks once, when the
 * first tensor is created: here, before any other.
 */
function holdHalfNumbersAsBits(): void {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'Float16Array');
  if (!descriptor) return;
  Reflect.deleteProperty(globalThis, 'Float16Array');
  try {
    new Tensor('float32', new Float32Array(), [0]);
  } finally {
    Object.defineProperty(globalThis, 'Float16Array', descriptor);
  }
}

holdHalfNumbersAsBits();
