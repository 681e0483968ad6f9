"""Greedy answers of transformers on torch in float32: reads a request from stdin, writes the logits to a file."""

import json
import sys

import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

request = json.load(sys.stdin)
torch.set_num_threads(request["threads"])
model = AutoModelForCausalLM.from_pretrained(request["folder"], torch_dtype=torch.float32).eval()
tokenizer = AutoTokenizer.from_pretrained(request["folder"])
ends = set(request["end_ids"])


@torch.no_grad()
def answer(prompt):
    """The tokens, up to an end, and the logits that each was chosen from."""
    tokens, rows, cache, ids = [], [], None, torch.tensor([prompt])
    while len(tokens) < request["tokens"] and not (tokens and tokens[-1] in ends):
        output = model(ids, past_key_values=cache, use_cache=True)
        cache = output.past_key_values
        rows.append(output.logits[0, -1].numpy().astype("<f4"))
        tokens.append(int(rows[-1].argmax()))
        ids = torch.tensor([tokens[-1:]])
    return tokens, rows


answers = []
with open(request["logits"], "wb") as file:
    for prompt in request["prompts"]:
        tokens, rows = answer(prompt)
        answers.append(tokens)
        np.stack(rows).tofile(file)
rendered = [
    tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    for messages in request["conversations"]
]
json.dump({"answers": answers, "rendered": rendered}, sys.stdout)
