import { initWasm, Resvg } from '@resvg/resvg-wasm';
import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

/**
 * What pictures need of other packages. The build makes one file of this module and of them, so that an installation
 * draws without any of them.
 */
export { compile, Resvg, type TopLevelSpec, vega };

let started: Promise<void> | undefined;

/** Resvg works once its WebAssembly, `resvg.wasm` in this folder of `dist`, is compiled. */
export async function startResvg(wasm: Uint8Array): Promise<void> {
  started ??= initWasm(wasm);
  await started;
}
