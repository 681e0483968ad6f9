import { readFileSync } from 'node:fs';
import { execaSync } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { commandTables } from '../../lib/options/command-tables.ts';
import { namesOf } from '../../lib/options/option.ts';

/** What comments and titles of tests name: files, functions, variables, constants and options that are there. */

const files = execaSync('git', ['ls-files'], { cwd: packageFile('.') }).stdout.split('\n');

/** Whether `#` begins a comment. */
const isScript = (path: string) => /\.(?:py|sh|ya?ml)$/.test(path);

const sources = files
  .filter(path => /\.(?:tsx?|[cm]?js|py|go|rs|java|hpp|cpp|h|sh|ya?ml|css)$/.test(path))
  .map(path => ({ path, text: readFileSync(packageFile(path), 'utf8') }));

type Source = (typeof sources)[number];

const comments = {
  script: /(?<!\S)#.*|"""(?:.|\n)*?"""/g,
  // Not in addresses.
  other: /(?<!:)\/\/.*|^\s*\/\*(?:.|\n)*?\*\/|^\s*\*.*/gm,
};
const titles = /(?<=\b(?:test|describe)(?:\.\w+(?:\([^()\n]*\))?)*\(\s*)(['"`])(?:\\.|(?!\1)[^\\\n])*\1/g;

const commentsOf = (path: string) => (isScript(path) ? comments.script : comments.other);

/** Everything that a source says in comments, and in titles if it holds tests. */
function sentencesOf({ path, text }: Source): string[] {
  const said = text.match(commentsOf(path)) ?? [];
  return path.endsWith('.test.ts') ? [...said, ...(text.match(titles) ?? [])] : [...said];
}

/** The names that sources say in sentences and that are not there, with the sources. */
function unresolved(name: RegExp, isThere: (name: string) => boolean): string[] {
  return sources.flatMap(source =>
    sentencesOf(source)
      .flatMap(sentence => sentence.match(name) ?? [])
      .filter(found => !isThere(found))
      .map(found => `${source.path}: ${found}`),
  );
}

function codeOf({ path, text }: Source): string {
  const code = text.replace(commentsOf(path), '');
  return path.endsWith('.test.ts') ? code.replace(titles, '') : code;
}

const words = new Set(sources.flatMap(source => codeOf(source).match(/[\p{L}_$][\w$]*/gu) ?? []));

const named = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Files of other projects, of a user, and that are made. */
const otherFiles =
  /^(?:llama\.cpp|UIDS-GIDS\.md|TASK--WHAT\.md|(?:bigcode_eval|tests)\/.*|(?:test_stats|stats_test|a|b|units|key)\.py|page\.css|(?:candidate|name)\.\w+)$/;

test('files', () => {
  expect(sources.length).toBeGreaterThan(1000);
  const name = /(?<![\w./:~<>-])(?:[\w-]+\/)*[\w-]+\.(?:tsx?|mjs|py|md|sh|go|rs|java|hpp|cpp|css)\b(?!\()/g;
  const isThere = (path: string) => files.some(file => `/${file}`.endsWith(`/${path}`));
  expect(unresolved(name, path => isThere(path) || otherFiles.test(path))).toEqual([]);
});

test('folders', () => {
  const name =
    /(?<![\w./~<@-])(?:bin|dataset|docs|examples|fixtures|lib|machines|test)(?:\/[\w-]+)+(?![\w./*<-])/g;
  expect(unresolved(name, path => files.some(file => file.startsWith(`${path}/`)))).toEqual([]);
});

/** Names of other programs, of the kernel and of papers, and examples. */
const otherWords = named(`
  arXiv datasetPath huggingface_hub guarded_exec create_tests pixel_values file_setattr mount_setattr mount_attr attr_set
  attr_clr userns_fd sock_fprog test_clamp_minus_1_0_5 num_experts_per_tok proc_pid_stat npm_config_local_prefix
  dead_code snake_case camelCase numbers_list n_found max_value new_list key_value nCheck apiKeyName plus_3 check_fn stats_test`);

test('functions and variables', () => {
  const name = /(?<![\w./:~<>@$-])_?(?:[a-z]+(?:[A-Z][a-z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w/-])/g;
  expect(words.size).toBeGreaterThan(10_000);
  expect(unresolved(name, word => words.has(word) || otherWords.has(word))).toEqual([]);
});

/** Products, formats and methods that code does not name, and types of protocols and of other languages. */
const otherTypes = named(`
  BullMQ CarperAI CommonMark DeepSeek FastAPI GitHub HumanEval LongRoPE Net2Net NumPy OctoPack OpenRouter OpenSSL
  OpenTelemetry PractRand PyTorch RoFormer SentencePiece SmoothQuant SplitMix64 YaRN ChaCha20
  AbortError GraphProto ModelProto StringStringEntryProto HefixErrors TestNumbers`);

test('types and classes', () => {
  const name = /(?<![\w./:~<>@$-])[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+(?![\w/-])/g;
  expect(unresolved(name, word => words.has(word) || otherTypes.has(word))).toEqual([]);
});

/** Constants of the kernel, of ELF files and of Python, and arguments in usages. */
const otherConstants =
  /^(?:AT|CAP|CLONE|CO|F|IFF|IOCTL|MAKE|MAP|MNT|MS|O|PATH|PR|PROT|PT|PTRACE|SECCOMP)_\w+$|^(?:ENTRY_POINT|MODEL_FOLDER|FOLDER_OR_WHEEL)$/;

test('constants, variables of the environment and codes of errors', () => {
  const name = /(?<![\w./:~<>@$-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w/-])/g;
  expect(unresolved(name, word => words.has(word) || otherConstants.test(word))).toEqual([]);
});

/** An option as node:util's `parseArgs` takes it. */
const parsed = /['"]?\b([a-z][a-z-]*)['"]?: \{ type: '(?:string|boolean)'/g;

test('options', async () => {
  const option = /(?<![\w-])--[a-z][a-z0-9-]*/g;
  const tables = Object.values(await commandTables()).flatMap(table => Object.entries(table));
  // The options that all commands share, and those of other programs, are in the code as they are written.
  const known = new Set([
    ...tables.flatMap(([key, entry]) => namesOf(key, entry)),
    ...sources.flatMap(source => codeOf(source).match(option) ?? []),
    ...sources.flatMap(source => [...codeOf(source).matchAll(parsed)].map(([, name]) => `--${name}`)),
    // Of Harbor, Inspect and vitest.
    ...['--path', '--log-dir', '--update'],
  ]);
  expect(unresolved(option, name => known.has(name))).toEqual([]);
});
