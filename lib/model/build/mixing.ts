import type { Mask } from './attention/attend.ts';

/** How a layer mixes its new tokens with the past. */
export interface Mixing {
  /** What each sequence reads of its new tokens, which follow each other on an axis. */
  readonly inputs: readonly { readonly value: string; readonly axis: number }[];
  /** New rows of the layer's cache: [1, key-value heads, new, head size] each. */
  readonly rows: readonly string[];
  /** inputs and past of one sequence → [1, new, columns] */
  mix(inputs: readonly string[], past: readonly string[], mask: Mask): string;
  /** [1, new of all, columns] → what the output projection reads. */
  finish(mixed: string): string;
}
