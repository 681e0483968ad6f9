/** What llama.cpp's converter calls an architecture. */
export function architectureName({ model_type: type }: { readonly model_type: string }): string {
  return { gemma3_text: 'gemma3', granitemoehybrid: 'granite', olmo3: 'olmo2' }[type] ?? type;
}

/** Its name for a tensor of transformers, with `.weight` or `.bias`. */
export function tensorName(name: string, architecture: string): string {
  const whole = wholeNames[name.replace(/\.\w+$/, '')];
  const kind = name.replace(/^.*\./, '');
  if (whole !== undefined) return `${whole}.${kind}`;
  const [, layer, part = ''] = /^model\.layers\.(\d+)\.(.+)\.\w+$/.exec(name) ?? [];
  const found = { ...layerNames, ...namesOf[architecture] }[part];
  if (found === undefined) throw new Error(`${architecture} has no ${name}`);
  return `blk.${layer}.${found}.${kind}`;
}

const wholeNames: Readonly<Record<string, string>> = {
  'model.embed_tokens': 'token_embd',
  'model.norm': 'output_norm',
  'model.embedding_norm': 'token_embd_norm',
  lm_head: 'output',
};

const layerNames: Readonly<Record<string, string>> = {
  input_layernorm: 'attn_norm',
  post_attention_layernorm: 'ffn_norm',
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.qkv_proj': 'attn_qkv',
  'self_attn.o_proj': 'attn_output',
  'self_attn.q_norm': 'attn_q_norm',
  'self_attn.k_norm': 'attn_k_norm',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};

const normsAfter = {
  post_attention_layernorm: 'post_attention_norm',
  post_feedforward_layernorm: 'post_ffw_norm',
};

/** By architecture, where they differ. */
const namesOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gemma3: { ...normsAfter, pre_feedforward_layernorm: 'ffn_norm' },
  granite: { 'shared_mlp.output_linear': 'ffn_down' },
  olmo2: normsAfter,
  phi3: { 'mlp.gate_up_proj': 'ffn_up' },
  starcoder2: { 'mlp.c_fc': 'ffn_up', 'mlp.c_proj': 'ffn_down' },
  lfm2: {
    operator_norm: 'attn_norm',
    ffn_norm: 'ffn_norm',
    'self_attn.out_proj': 'attn_output',
    'self_attn.q_layernorm': 'attn_q_norm',
    'self_attn.k_layernorm': 'attn_k_norm',
    'conv.in_proj': 'shortconv.in_proj',
    'conv.conv': 'shortconv.conv',
    'conv.out_proj': 'shortconv.out_proj',
    'feed_forward.w1': 'ffn_gate',
    'feed_forward.w3': 'ffn_up',
    'feed_forward.w2': 'ffn_down',
  },
};
