"""Writes prompts.json: hashes of the prompts that bigcode-evaluation-harness itself makes of HumanEvalPack's rows.

    python3 make.py HARNESS ROWS > prompts.json

HARNESS is a checkout of https://github.com/bigcode-project/bigcode-evaluation-harness, ROWS a folder with
`<language>.even.jsonl.gz`, the rows with even numbers. The harness's own classes are used; only the packages
`evaluate` and `datasets`, which they import and which no prompt needs, are replaced by empty ones.
Each hash is the SHA-256 of prompts in UTF-8, joined with NUL: `formats` of all tasks of a language, `tasks` of all
formats of a task, first humanevalfixtests, then humanevalfixdocs, in the order of FORMATS.
"""
import ast
import gzip
import hashlib
import importlib
import json
import pathlib
import sys
import types

FORMATS = (
    "instruct octocoder octogeex starchat starcodercommit instructcodet5p wizardcoder codellama deepseek tulu gritlm"
    " zephyr yi starchat2 codeqwen codegemma codellama-70b aurora-m file diff diff-carper issue"
).split()
LANGUAGES = ["python", "js", "java", "go", "cpp", "rust"]
MODES = ["tests", "docs"]


def main(harness, rows):
    sys.path.insert(0, harness)
    for name in ["evaluate", "datasets"]:
        sys.modules[name] = types.SimpleNamespace(load=None, load_dataset=lambda **_: None)
    package = types.ModuleType("bigcode_eval")
    package.__path__ = [f"{harness}/bigcode_eval"]
    tasks = types.ModuleType("bigcode_eval.tasks")
    tasks.__path__ = [f"{harness}/bigcode_eval/tasks"]
    sys.modules |= {"bigcode_eval": package, "bigcode_eval.tasks": tasks}
    module = importlib.import_module("bigcode_eval.tasks.humanevalpack")
    script = api_script(f"{harness}/bigcode_eval/tasks/humanevalpack_openai.py")
    golden = {}
    for language in LANGUAGES:
        docs = [json.loads(line) for line in gzip.open(pathlib.Path(rows) / f"{language}.even.jsonl.gz")]
        prompts = {}
        for format in FORMATS:
            for mode in MODES:
                task = module.create_task(language, f"fix{mode}")(language=language, prompt=format)
                prompts[f"{format} {mode}"] = [task.get_prompt(doc) for doc in docs]
        for mode in MODES:
            prompts[f"api {mode}"] = [script["get_prompt_fix"](doc, language, mode) for doc in docs]
        golden[language] = {
            "formats": {name: sha256(of) for name, of in prompts.items()},
            "tasks": {
                doc["task_id"]: sha256([of[index] for of in prompts.values()]) for index, doc in enumerate(docs)
            },
        }
    print(json.dumps(golden, indent=1))


def api_script(path):
    """Its functions alone: at its top it imports packages that send requests."""
    tree = ast.parse(pathlib.Path(path).read_text())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    scope = {}
    exec(compile(ast.Module(functions, []), path, "exec"), scope)
    return scope


def sha256(prompts):
    return hashlib.sha256("\0".join(prompts).encode()).hexdigest()


main(*sys.argv[1:])
