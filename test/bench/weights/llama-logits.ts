import { spawn } from 'node:child_process';
import { packageFile } from '../../../lib/files/package.ts';

/** Logits of llama.cpp for prompts of ids, one row for each token, as node-llama-cpp computes them on the CPU. */
export async function* llamaLogits(request: {
  /** The folder with node-llama-cpp. */
  readonly peers: string;
  readonly modelPath: string;
  readonly threads: number;
  readonly prompts: readonly (readonly number[])[];
  readonly vocabulary: number;
}): AsyncGenerator<Float32Array> {
  const program = packageFile('test/bench/weights/llama-logits.mjs');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(request));
  const bytes = 4 * request.vocabulary;
  let rest = Buffer.alloc(0);
  for await (const chunk of child.stdout) {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length >= bytes; rest = rest.subarray(bytes)) {
      yield new Float32Array(Uint8Array.from(rest.subarray(0, bytes)).buffer);
    }
  }
}
