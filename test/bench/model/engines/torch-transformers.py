"""generate of transformers on torch; a logits processor forces the recorded token. Speaks as serve.mjs does."""

import json
import re
import resource
import sys
import time
from pathlib import Path


def main():
    options = json.loads(sys.argv[1])
    started = time.perf_counter()
    import torch
    from transformers import AutoModelForCausalLM, LogitsProcessor, LogitsProcessorList

    torch.set_num_threads(options["threads"])
    dtype = getattr(torch, options.get("dtype", "float32"))
    model = AutoModelForCausalLM.from_pretrained(options["folder"], torch_dtype=dtype)
    model.generation_config.eos_token_id = model.config.vocab_size - 1
    model.generation_config.pad_token_id = 0
    passes, first, begun = [0], [], [0, 0]

    def elapsed():
        return {"seconds": time.perf_counter() - begun[0], "cpuSeconds": time.process_time() - begun[1]}

    def count(*_):
        passes[0] += 1
        if not first:
            first.append(elapsed())

    model.register_forward_hook(count)

    class Forced(LogitsProcessor):
        def __init__(self, start, answer):
            self.start, self.answer = start, answer

        def __call__(self, ids, scores):
            place = ids.shape[1] - self.start
            scores[:, self.answer[min(place, len(self.answer) - 1)]] = 1e9
            return scores

    lookup = {"prompt_lookup_num_tokens": 10} if options["lookup"] else {}
    say({"loadSeconds": time.perf_counter() - started})
    for line in sys.stdin:
        stream = json.loads(line)
        prompt, answer, request = stream["prompt"], stream["answer"], stream["request"]
        sampling = {"do_sample": False}
        if request["temperature"] > 0:
            sampling = {
                "do_sample": True,
                "temperature": request["temperature"],
                "top_k": request["topK"],
                "top_p": request["topP"],
            }
        begun[:] = time.perf_counter(), time.process_time()
        first.clear()
        passes[0] = 0
        ids = torch.tensor([prompt])
        with torch.inference_mode():
            made = model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=len(answer),
                logits_processor=LogitsProcessorList([Forced(len(prompt), answer)]),
                **sampling,
                **lookup,
            )
        if made[0, len(prompt) : len(prompt) + len(answer)].tolist() != answer:
            raise SystemExit("the answer is not the recorded one")
        say({**elapsed(), "first": first[0], "passes": passes[0]})
    say({"peakMiB": peak_kibibytes() / 1024})


def peak_kibibytes():
    """On Linux, a process inherits ru_maxrss from the one that started it."""
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())[1])


def say(value):
    print(json.dumps(value), flush=True)


main()
