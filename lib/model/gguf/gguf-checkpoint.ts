import { open } from 'node:fs/promises';
import type { Checkpoint } from '../build/checkpoint.ts';
import { readRows } from '../build/read-rows.ts';
import { modelFileInvalid } from '../errors.ts';
import { type GgufSettings, ggufSettings, ROPE_DIVISORS } from './gguf-config.ts';
import { type GgufTensor, readGguf } from './read-gguf.ts';

/** Opens a GGUF file's weights. Throws the errors of readGguf and ggufSettings. */
export async function openGgufCheckpoint(path: string): Promise<Checkpoint> {
  const gguf = await readGguf(path);
  const settings = ggufSettings(gguf);
  const named = [...gguf.tensors.values()].filter(({ name }) => name !== ROPE_DIVISORS);
  const tensors = new Map(named.map(tensor => [nameInTransformers(tensor.name), tensor]));
  const file = await open(path, 'r');
  return {
    names: new Set(tensors.keys()),
    totalWeights: named.reduce((sum, { shape }) => sum + shape.reduce((size, dim) => size * dim, 1), 0),
    shape: name => tensors.get(name)?.shape ?? null,
    async *rows(name) {
      const tensor = tensors.get(name);
      if (tensor === undefined) throw modelFileInvalid(path, `it has no tensor ${name}`);
      const stored = { ...tensor, file, path };
      if (!isInterleaved(tensor, settings)) return yield* readRows(stored, tensor.reader);
      if (tensor.shape.length === 1) {
        // A vector has one row.
        for await (const piece of readRows(stored, tensor.reader))
          yield halvesApart(piece, 1, settings.headSize);
        return;
      }
      for await (const piece of readRows(stored, tensor.reader, settings.headSize)) {
        yield halvesApart(piece, tensor.shape[1] ?? 1, settings.headSize);
      }
    },
    close: () => file.close(),
  };
}

/** A name that hefix does not know stays as it is, so that the builder refuses it. */
function nameInTransformers(name: string): string {
  const whole = wholeNames[name];
  if (whole !== undefined) return whole;
  const [, layer, part = '', kind] = /^blk\.(\d+)\.(\w+)\.(weight|bias)$/.exec(name) ?? [];
  const known = Object.hasOwn(layerNames, part) ? layerNames[part] : undefined;
  return known === undefined ? name : `model.layers.${layer}.${known}.${kind}`;
}

const wholeNames: Readonly<Record<string, string>> = {
  'token_embd.weight': 'model.embed_tokens.weight',
  'output_norm.weight': 'model.norm.weight',
  'output.weight': 'lm_head.weight',
};

const layerNames: Readonly<Record<string, string>> = {
  attn_norm: 'input_layernorm',
  ffn_norm: 'post_attention_layernorm',
  attn_q: 'self_attn.q_proj',
  attn_k: 'self_attn.k_proj',
  attn_v: 'self_attn.v_proj',
  attn_output: 'self_attn.o_proj',
  attn_q_norm: 'self_attn.q_norm',
  attn_k_norm: 'self_attn.k_norm',
  ffn_gate: 'mlp.gate_proj',
  ffn_up: 'mlp.up_proj',
  ffn_down: 'mlp.down_proj',
};

/** llama.cpp rotates neighbouring rows of a head of Llama, transformers rows that are half a head apart. */
function isInterleaved({ name }: GgufTensor, { architecture }: GgufSettings): boolean {
  return architecture === 'llama' && /^blk\.\d+\.attn_[qk]\.(weight|bias)$/.test(name);
}

/** Rows 0, 2, 4, … of each head, then rows 1, 3, 5, …; piece: [heads · head size, columns] */
function halvesApart(piece: Float32Array, columns: number, headSize: number): Float32Array {
  const moved = new Float32Array(piece.length);
  const rows = piece.length / columns;
  for (let row = 0; row < rows; row++) {
    const inHead = row % headSize;
    const to = row - inHead + (inHead % 2) * (headSize / 2) + (inHead >> 1);
    moved.set(piece.subarray(row * columns, (row + 1) * columns), to * columns);
  }
  return moved;
}
