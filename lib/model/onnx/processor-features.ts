import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/**
 * The features of this processor by which onnxruntime chooses its kernels, which round differently: `x64 avx avx2 fma`.
 * Where the system does not list them, the processor's name.
 */
export function processorFeatures(file = '/proc/cpuinfo'): string {
  cache.set(file, cache.get(file) ?? read(file));
  return cache.get(file) ?? '';
}

const cache = new Map<string, string>();

function read(file: string): string {
  const [, flags] = /^(?:flags|Features)\s*:(.*)$/m.exec(contents(file)) ?? [];
  const features = flags?.split(' ').filter(flag => VECTORS.test(flag)) ?? [cpus()[0]?.model ?? 'unknown'];
  return [process.arch, ...features.sort()].join(' ');
}

const VECTORS = /^(?:sse4|avx|fma$|f16c$|amx_|asimd|sve|sme|i8mm$|bf16$|fphp$)/;

function contents(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
