"""Writes answers.json: the programs that bigcode-evaluation-harness itself makes of answers in its formats.

    pip install diff-match-patch
    python3 answers.py HARNESS > answers.json

HARNESS is a checkout of https://github.com/bigcode-project/bigcode-evaluation-harness. Its own classes cut each
answer and apply it; the rows and answers below are ours. Two things are changed:
- The harness also cuts diffs where it cuts code: at the first unindented line in Python, at a brace in JavaScript.
  No Python diff could ever apply. As in its `check_fn`, only the stop sequences cut a diff here.
- NumPy's imports are taken out of the programs.
"""
import contextlib
import importlib
import json
import re
import sys
import types

ROWS = {
    "python": {
        "task_id": "Python/0",
        "entry_point": "total",
        "prompt": 'from typing import List\n\n\ndef total(prices: List[int], limit: int) -> int:\n    """ Sum of the prices up to a limit.\n    """\n',
        "declaration": "from typing import List\n\n\ndef total(prices: List[int], limit: int) -> int:\n",
        "canonical_solution": "    result = 0\n    for price in prices:\n        if price <= limit:\n            result += price\n    return result\n",
        "buggy_solution": "    result = 0\n    for price in prices:\n        if price < limit:\n            result += price\n    return result\n",
        "test": "\n\ndef check(total):\n    assert total([1, 2, 3], 2) == 3\n\ncheck(total)",
    },
    "js": {
        "task_id": "JavaScript/0",
        "entry_point": "total",
        "prompt": "/* Sum of the prices up to a limit.\n  */\nconst total = (prices, limit) => {\n",
        "declaration": "\nconst total = (prices, limit) => {\n",
        "canonical_solution": "  let result = 0;\n  for (const price of prices) {\n    if (price <= limit) result += price;\n  }\n  return result;\n}\n\n",
        "buggy_solution": "  let result = 0;\n  for (const price of prices) {\n    if (price < limit) result += price;\n  }\n  return result;\n}\n\n",
        "test": "const testTotal = () => {\n  console.assert(total([1, 2, 3], 2) === 3)\n}\n\ntestTotal()\n",
    },
}
PYTHON_BODY = "    return sum(price for price in prices if price <= limit)"
JS_BODY = "  return prices.filter(price => price <= limit).reduce((a, b) => a + b, 0);\n}"
CODE = {
    "python": [
        f"\n{PYTHON_BODY}\n",
        f"{PYTHON_BODY}\n",
        f"\n\n{PYTHON_BODY}\n\n\nprint(total([1], 1))\n",
        f"\n{PYTHON_BODY}\n\ndef other():\n    pass\n",
        f"\n{PYTHON_BODY}\n# The end",
        f"\n{PYTHON_BODY}\n```\nThat is all.",
        f"\n{PYTHON_BODY}<|endoftext|>\n    return 0",
        f"\n{PYTHON_BODY}\n<|end|>\n    return 0",
        f"\n{PYTHON_BODY}```\nand words",
        f"\n{PYTHON_BODY}\n\u00a0\n\u2003",
        f"\n{PYTHON_BODY}\r\n",
        "\n\tresult = 0\n\tfor price in prices:\n\t\tif price <= limit:\n\t\t\tresult += price\n\treturn result",
        "\n    # of all\n    if limit:\n        return 1\n    return 0\nassert total([], 0) == 0",
        "\n    text = '''\ninside\n'''\n    return 0",
        "",
        "   ",
        "def total(prices, limit):\n    return 0\n",
        " \n    return 1\n",
        "\n    return 1\n@decorated\ndef other(): pass",
        "\n\x0c    return 1\n    return 2",
    ],
    "js": [
        f"\n{JS_BODY}\n",
        f"\n{JS_BODY}\n\ntotal([1], 1)\n",
        f"\n{JS_BODY}\n\nconst other = () => {{\n  return 1;\n}}\n",
        f"{JS_BODY};\nmodule.exports = total",
        "\n  return `${prices}`.length;\n}\n// Done",
        "\n  return '}' + 1;\n}\n",
        "\n  return 1;\n",
        "\n  if (limit) {\n    return 1;\n  }\n",
        f"\n{JS_BODY}<|endoftext|> more",
        f"\n{JS_BODY}\n\u00a0",
        f"\n{JS_BODY}\n```\nThat is all.",
        "\n  while (true) { if (limit) { return 1; }\n<|end|>",
        "",
        "\n",
    ],
}
MATCH_PATCH = {
    "python": [
        "@@ -133,16 +133,17 @@\n if price %3C\n+=\n  limit:%0A",
        "@@ -133,16 +133,17 @@\n if price %3C\n+=%2B%2f%23\n  limit:%0A",
        "@@ -133,16 +133,17 @@\n if price %3C\n+=%FF\n  limit:%0A",
        "\n@@ -133,16 +133,17 @@\n if price %3C\n+=\n  limit:%0A\n",
        # Somewhere else, and with a context that is slightly different.
        "@@ -100,16 +100,17 @@\n if price %3C\n+=\n  limit:%0A",
        "@@ -1,16 +1,17 @@\n if price %3C\n+=\n  limit:%0A",
        "@@ -133,16 +133,17 @@\n if prize %3C\n+=\n  limit:%0A",
        "@@ -130,18 +130,19 @@\n   if cost %3C\n+=\n  limit:%0A",
        "@@ -133,16 +133,17 @@\n completely other words here %3C\n+=\n  nothing%0A",
        # Two patches, the second one with an offset.
        "@@ -67,18 +67,18 @@\n     result = \n-0\n+1\n %0A    f\n@@ -133,16 +133,17 @@\n if price %3C\n+=\n  limit:%0A",
        "@@ -67,18 +67,18 @@\n     result = \n-0\n+1\n %0A    f\n@@ -10,16 +10,17 @@\n not there at all%0A\n+=\n  nowhere%0A",
        # The lengths are wrong.
        "@@ -133,3 +133,90 @@\n if price %3C\n+=\n  limit:%0A",
        "@@ -133 +133 @@\n if price %3C\n+=\n  limit:%0A",
        "@@ -0,0 +1,9 @@\n+import os%0A",
        # A long deletion.
        "@@ -80,110 +80,20 @@\n -    for price in prices:%0A        if price %3C limit:%0A            result += price%0A\n+    result = sum(prices)%0A",
        "@@ -83,85 +83,24 @@\n-for price in prices:%0A        if price %3C limit:%0A            result += price\n+result = sum(prices)\n %0A    return",
        # No patch.
        "",
        "I cannot do that.",
        "@@ -133,16 +133,17 @@\n if price %3C\n=\n  limit:%0A",
        "@@ -133,16 +133,17 @@\n if price %ZZ\n+%\n  limit:%0A",
        "--- a/total.py\n+++ b/total.py\n@@ -133,16 +133,17 @@\n if price %3C\n+=\n  limit:%0A",
        "@@ -133,16 +133,17 @@\n if price %3C\n+=\n  limit:%0A<commit_before>more",
        "@@ -133,16 +133,17 @@\n if price %3C\n+=\n  limit:%0A<|endoftext|>",
        "@@ -133,16 +133,17 @@\n if price %3C\n+= %C3%A9%E2%82%AC%F0%9F%98%80\n  limit:%0A",
        "@@ -133,16 +133,17 @@\n if price %3C\n+=\n\n  limit:%0A\nwords",
    ],
    "js": [
        "@@ -112,16 +112,17 @@\n if (price %3C\n+=\n  limit)",
        "@@ -12,16 +12,17 @@\n if (price %3C\n+=\n  limit)",
        "@@ -112,16 +112,17 @@\n if (cost %3C\n+=\n  limit)",
        "@@ -41,14 +41,14 @@\n result = \n-0\n+1\n ;%0A  \n@@ -112,16 +112,17 @@\n if (price %3C\n+=\n  limit)",
        "no patch }",
    ],
}
# CarperAI's format has a space before the diff.
LINE_DIFF = {
    "python": [
        " @@ -7,5 +7,5 @@\n     for price in prices:\n-        if price < limit:\n+        if price <= limit:\n             result += price\n",
        " @@ -7,5 +7,5 @@\n     for price in prices:\n-        if price < limit:\n+        if price <= limit:\n             result += price",
        " \n@@ -7,5 +7,5 @@ def total\n-        if price < limit:\n+        if price <= limit:\n",
        " @@ -1,1 +1,1 @@\n-        if price < limit:\n+        if price <= limit:\n@@ -9 +9 @@\n-    return result\n+    return result + 0\n",
        # In the wrong order: only forward.
        " @@ -9 +9 @@\n-    return result\n+    return result + 0\n@@ -1,1 +1,1 @@\n-        if price < limit:\n+        if price <= limit:\n",
        # Part of a line.
        " @@ -7 +7 @@\n-        if price\n+        if cost\n",
        " @@ -7 +7 @@\n-price < limit:\n+price <= limit:\n",
        # Only additions: at the start of the file.
        " @@ -1 +1 @@\n+import os\n",
        " @@ -1 +1 @@\n+import os\n@@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:\n",
        " @@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:\n@@ -1 +1 @@\n+import os\n",
        # What ends the diff.
        " @@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:\nThat is all.\n+        more\n",
        " @@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:\n_more\n+        more\n",
        " @@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:\n{\n+        more\n",
        " @@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:\n1 more\n+        more\n",
        " @@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:\nthen 1\n-        more\n",
        " @@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:\n<NME> other.py\n",
        " @@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit: <NME> other.py\n",
        " @@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:\n<BEF> other",
        " @@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:\n\\ No newline at end of file\n",
        " @@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:<|endoftext|>",
        " @@ -7 +7 @@\n-        if price < limit:\n\n+        if price <= limit:\n",
        " @@ -7,4 +7,4 @@\n-    return result\n     for price in prices:\n+    pass\n",
        " --- a/total.py\n+++ b/total.py\n@@ -7 +7 @@\n-        if price < limit:\n+        if price <= limit:\n",
        " @@ nothing @@\n-        if price < limit:\n+        if price <= limit:\n",
        " @@ -7 +7 @@",
        " @@ -7 +7\n-        if price < limit:\n+        if price <= limit:\n",
        " ",
        " I cannot do that.",
    ],
    "js": [
        " @@ -4,3 +4,3 @@\n-    if (price < limit) result += price;\n+    if (price <= limit) result += price;\n   }\n",
        " @@ -4,3 +4,3 @@\n   for (const price of prices) {\n-    if (price < limit) result += price;\n+    if (price <= limit) result += price;\n   }\n   return result;\n }\n",
        " @@ -4,3 +4,3 @@\n-    if (price < limit)\n+    if (price <= limit)\n",
        " words",
    ],
}
FORMATS = {
    "file": CODE,
    "instruct": CODE,
    "starchat": CODE,
    "issue": CODE,
    "diff": MATCH_PATCH,
    "diff-carper": LINE_DIFF,
}


def main(harness):
    sys.path.insert(0, harness)
    judged = []
    metric = types.SimpleNamespace(compute=lambda predictions, **_: (judged.extend(predictions), (None, None))[1])
    sys.modules["evaluate"] = types.SimpleNamespace(load=lambda _: metric)
    sys.modules["datasets"] = types.SimpleNamespace(load_dataset=lambda **_: None)
    for name, path in [("bigcode_eval", "bigcode_eval"), ("bigcode_eval.tasks", "bigcode_eval/tasks")]:
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [f"{harness}/{path}"]
    module = importlib.import_module("bigcode_eval.tasks.humanevalpack")
    cut = module.HumanEvalPackGenerative.remove_last_block
    module.HumanEvalPackGenerative.remove_last_block = lambda task, code: (
        stopped(task, code) if task.prompt.startswith("diff") else cut(task, code)
    )
    golden = []
    for format, answers in FORMATS.items():
        for language, row in ROWS.items():
            for mode in ["tests", "docs"] if format in ["file", "diff"] else ["tests"]:
                for words in module.LANGUAGE_TO_STOP_WORDS.values():
                    words[:] = [word for word in words if not re.match(r"<\||```", word)]
                task = module.create_task(language, f"fix{mode}")(language=language, prompt=format)
                task.dataset = {"test": Rows([row])}
                prompt = task.get_prompt(row)
                cases = {}
                for answer in answers[language]:
                    del judged[:]
                    with contextlib.redirect_stdout(sys.stderr):
                        generation = task.postprocess_generation(prompt + answer, 0)
                        task.process_results([[generation]], [row["test"]])
                    cases[answer] = judged[0][0].replace("import numpy\nimport numpy as np\n", "")
                golden.append({"language": language, "format": format, "mode": mode, "programs": cases})
    print(json.dumps({"rows": ROWS, "golden": golden}, indent=1))


class Rows(list):
    def select(self, indices):
        return [self[index] for index in indices]


def stopped(task, code):
    for word in task.stop_words:
        code = code.split(word)[0]
    return code


main(*sys.argv[1:])
