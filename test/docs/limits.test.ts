import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bundledNames } from '../../dataset/bundled.ts';
import { rowSchema } from '../../dataset/columns.ts';
import { loadDataset } from '../../dataset/load.ts';
import { command as robust } from '../../lib/cli/robust/command.ts';
import { toolRequirements } from '../../lib/extra/compiled/find-toolchain.ts';
import { readDockerSettings } from '../../lib/extra/docker/engine.ts';
import { nameInput } from '../../lib/extra/mcp/server-parts.ts';
import { packageFile } from '../../lib/files/package.ts';
import { distributionOptions } from '../../lib/options/tables/distribution-options.ts';
import { fixOptions } from '../../lib/options/tables/fix-options.ts';
import { runOptions } from '../../lib/options/tables/run-options.ts';
import { batchSize } from '../../lib/run/queue/requeue.ts';

/** Numbers in the documents, compared with the constants of the code, in whatever language that is. */

const page = (path: string) => readFileSync(packageFile(path), 'utf8');

/** The value of a constant, a field or a default: products, powers and shifts of numbers. */
function constant(path: string, name: string): number {
  const pattern = new RegExp(String.raw`\b${name}\b(?:: \w+)?(?: =|:) (\d[\d_ u*<.]*)`);
  const [, expression] = pattern.exec(page(path)) ?? [];
  if (expression === undefined) throw new Error(`${path} has no constant ${name}.`);
  const power = (text: string) =>
    text
      .split('**')
      .map(part => Number(part.replaceAll(/[_u ]/g, '')))
      .reduceRight((exponent, base) => base ** exponent);
  const product = (text: string) =>
    text
      .split(/(?<!\*)\*(?!\*)/)
      .map(power)
      .reduce((a, b) => a * b);
  return expression
    .split('<<')
    .map(product)
    .reduce((base, bits) => base * 2 ** bits);
}

/** The sentences that a page lacks. */
function missing(path: string, sentences: readonly string[]): string[] {
  const text = page(path);
  return sentences.filter(sentence => !text.includes(sentence));
}

const shown = (value: number) => value.toLocaleString('en-US');
const count = (path: string, name: string) => shown(constant(path, name));
const mib = (path: string, name: string) => `${constant(path, name) / 2 ** 20} MiB`;
const words = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const word = (path: string, name: string) => words[constant(path, name)];

const builder = 'lib/extra/compiled/builder.ts';
const thread = 'lib/model/onnx/onnx-model.ts';
const python = 'lib/sandbox/python/programs';
const javascript = 'lib/sandbox/javascript';

test('constants are read in every language', () => {
  expect(constant(builder, 'MAX_REPLY_BYTES')).toBe(192 * 2 ** 20);
  expect(constant(`${python}/plain/plain.py`, 'MAX_VALUES')).toBe(500_000);
  expect(constant('lib/extra/compiled/cpp/runtime/hefix/wire.hpp', 'max_message')).toBe(2 ** 24);
  expect(constant('lib/extra/compiled/rust/runtime/hefix/lib.rs', 'MAX_BYTES')).toBe(2 ** 24);
  expect(() => constant(builder, 'MAX_OTHERS')).toThrow('no constant');
});

test('limits of the sandbox', () => {
  expect(
    missing('SECURITY.md', [
      `or later in its last ${word(`${python}/plain/plain.py`, 'MAX_GIVEN')} results`,
      `as at most ${count(`${javascript}/realm/candidate-agent.ts`, 'MAX_STEPS')} values`,
      `Up to ${count(`${javascript}/host/javascript-sandbox.ts`, 'pairsAtOnce')} executions begin with the same layout`,
      `may take up to ${words[1 + constant('lib/sandbox/process/started-process.ts', 'maxGrants')]} times as long`,
      `an unused user ID, or ${constant('lib/sandbox/isolation/mounts.ts', 'nobody')} in a container`,
    ]),
  ).toEqual([]);
  const counter = `${javascript}/judge/assertions/counter.ts`;
  expect(constant('lib/sandbox/process/execution.ts', 'countSeconds')).toBe(1);
  expect(constant('lib/extra/compiled/java/toolchain.ts', 'cpuSeconds')).toBe(3600);
  expect(
    missing('docs/sandbox.md', [
      `a list of at most ${count(`${python}/plain/plain.py`, 'MAX_ITEMS')} items`,
      `each assertion on its own, up to ${count(counter, 'MAX_ASSERTIONS')} of them`,
      'takes more than a second of its own',
      `name the first ${word(counter, 'MAX_FAILING')} that fail`,
      `limited to ${constant(builder, 'memoryMiB') / 1024} GiB of memory and ${constant(builder, 'cpuSeconds')} seconds of processor time`,
      'an hour of processor time in all',
    ]),
  ).toEqual([]);
  expect(constant('lib/extra/compiled/java/toolchain.ts', 'memoryMiB')).toBe(constant(builder, 'memoryMiB'));
});

test('every judge counts as many assertions, and reads messages of the same length', () => {
  const counters = [
    [`${javascript}/judge/assertions/counter.ts`, 'MAX_ASSERTIONS'],
    [`${python}/judge/counting.py`, 'MOST_ASSERTIONS'],
    ['lib/extra/compiled/cpp/runtime/judge.cpp', 'max_assertions'],
    ['lib/extra/compiled/go/runtime/judge/counting.go', 'maxAssertions'],
    ['lib/extra/compiled/java/runtime/hefix/Checks.java', 'MAX_COUNTED'],
    ['lib/extra/compiled/rust/runtime/hefix/counting.rs', 'MAX_ASSERTIONS'],
  ] as const;
  expect([...new Set(counters.map(([path, name]) => constant(path, name)))]).toEqual([1000]);
  const lines = [
    [`${python}/plain/line.py`, 'MAX_MESSAGE_BYTES'],
    ['lib/extra/compiled/cpp/runtime/hefix/wire.hpp', 'max_message'],
    ['lib/extra/compiled/go/runtime/wire/encode.go', 'maxBytes'],
    ['lib/extra/compiled/rust/runtime/hefix/lib.rs', 'MAX_BYTES'],
    ['lib/extra/compiled/java/runtime/hefix/Line.java', 'MAX_BYTES'],
  ] as const;
  expect([...new Set(lines.map(([path, name]) => constant(path, name)))]).toEqual([2 ** 24]);
});

test('limits of repairs', () => {
  expect(constant('lib/repair/agents.ts', 'DEFAULT_BUDGET')).toBe(1000);
  expect(missing('README.md', ['lists up to a thousand edits'])).toEqual([]);
  const compared = 'lib/fix/question/compared-inputs.ts';
  const library = 'lib/run/library/fix-project.ts';
  const writer = 'lib/fix/write/ask-model.ts';
  const budgets = 'machines/budgets.ts';
  const seconds = [constant(library, 'SEARCH_SECONDS'), constant(library, 'CONVERSATION_SECONDS')];
  expect(constant(writer, 'SMALLER')).toBe(0.5);
  // «Twice as many edits».
  expect(constant(budgets, 'promising') / constant(budgets, 'edits')).toBe(2);
  expect(
    missing('docs/fix.md', [
      `\`--time\` (${seconds[0]} seconds, or ${seconds[1]} with a model that writes)`,
      `up to ${constant(budgets, 'edits')} of the most suspicious ones`,
      `suspected ${word('lib/fix/localise/suspects.ts', 'TRACEBACK')} times as much`,
      `; at most ${word('machines/project-setup.ts', 'constant')} are tried`,
      `pairs of edits of the ${word('machines/project-setup.ts', 'MAX_PAIRED_SUSPECTS')} most suspicious`,
      `calls each with up to ${constant(compared, 'MAX_CALLS')} inputs of the tests`,
      `with up to ${constant(compared, 'MAX_AT_BOUNDARIES')} at boundaries`,
      `with up to ${constant(compared, 'MAX_SIMILAR')} others`,
      `in a pipe or CI every ${words[constant('lib/cli/terminal/fix-progress.ts', 'LINE_MS') / 1000]} seconds`,
      `shows the lines of ${word('lib/cli/terminal/fix-text.ts', 'MAX_ALTERNATIVES')}`,
      `at most ${fixOptions.questionTime.schema.parse(undefined)} seconds: \`--question-time\` sets the limit`,
      `| \`--max-requests\` | ${constant('lib/fix/options.ts', 'MAX_REQUESTS')} |`,
      `| \`--context\` | ${count(writer, 'context')} | tokens of one prompt, as far as`,
      `| \`--max-new-tokens\` | ${count(writer, 'answer')}, or ${count(writer, 'localAnswer')} for a local model |`,
    ]),
  ).toEqual([]);
  expect(
    missing('docs/agents.md', [
      `to at most ${constant('lib/repair/agents.ts', 'WARMEST')} (\`--schedule ramp\``,
      `the ${constant('lib/repair/propose/propose.ts', 'MAX_WEIGHED')} likeliest are drawn before`,
    ]),
  ).toEqual([]);
  const generated = `up to ${count('lib/repair/robust/contract.ts', 'limit')} generated inputs`;
  expect(missing('docs/evaluate.md', [generated])).toEqual([]);
  expect(page('lib/repair/robust/agreeing.ts')).toContain('[MAX_PROGRAMS, MAX_INPUTS] = [12, 200]');
  expect(missing('docs/formats.md', ['candidates that agree, at most 12'])).toEqual([]);
  expect(runOptions.robust.about).toContain(generated);
  expect(robust.description).toContain(generated);
});

test('limits of models and queues', () => {
  const caches = 'lib/model/onnx/cache/prefix-store.ts';
  expect(constant('lib/run/errors.ts', 'MAX_EMPTY_SHARE')).toBe(0.1);
  expect(constant('lib/model/hub/built-folder.ts', 'HOPELESS')).toBe(2);
  expect(
    missing('docs/models.md', [
      `passes of up to ${word('lib/model/build/attention/attention-sequences.ts', 'SEQUENCES')} requests`,
      `at most ${constant(caches, 'sequences')} and ${mib(caches, 'bytes')} together`,
      `of ${constant('lib/model/exactness/sample-tokens.ts', 'POSITIONS')} positions`,
      `KL divergence is at most ${constant('lib/core/measurements.ts', 'DIVERGENCE_LIMIT')} nats`,
      'If it is at most twice that, q8 is tried',
      'more than a tenth of its tasks',
    ]),
  ).toEqual([]);
  const server = 'lib/run/queue/queue-server.ts';
  const crashes = words[distributionOptions.maxCrashes.schema.parse(undefined)];
  expect(page(server)).toContain("oldestRedis = '5.0'");
  expect(
    missing('docs/queue.md', [
      `Redis 5 or PostgreSQL ${constant(server, 'oldestPostgres')}, or newer`,
      `ended its worker ${crashes} times, and ${crashes} times more on its own`,
      `with up to ${batchSize(1e9, true)} units in a job`,
    ]),
  ).toEqual([]);
});

test('limits on what comes in', () => {
  const snapshot = 'lib/fix/project/snapshot.ts';
  const files = constant(snapshot, 'files');
  const failures = 'lib/fix/project/last-failures.ts';
  const untrusted = 'lib/files/untrusted-file.ts';
  const parser = 'lib/syntax/parser.ts';
  const guard = 'lib/fix/project/source-guard.ts';
  const history = 'lib/fix/project/history.ts';
  const template = 'lib/model/text/bounded-template.ts';
  const served = limits('lib/fix/runners/served-runner.ts', 'answerLimits');
  const report = limits('lib/sandbox/process/execution.ts', 'reportLimits');
  const forker = limits('lib/sandbox/process/started-process.ts', 'lineLimits');
  const checker = limits('lib/sandbox/python/host/syntax-checker.ts', 'replyLimits');
  const java = limits('lib/extra/compiled/java/warm-compiler.ts', 'replyLimits');
  const container = limits('lib/extra/docker/container.ts', 'limits');
  const rows = [
    `${mib(snapshot, 'maxProjectBytes')} and ${shown(files)} files together, ${shown(files * constant(snapshot, 'ENTRIES'))} entries of folders; regular files, no links | \`${snapshot}\``,
    `${mib(untrusted, 'maxSettingsBytes')}, regular files, no links | \`${untrusted}\``,
    `${mib(failures, 'MAX_BYTES')} and ${count(failures, 'MAX_ENTRIES')} entries | \`${failures}\``,
    `${mib(history, 'MAX_BYTES')} and ${count(history, 'MAX_FILES')} files; regular files, no links | \`${history}\``,
    `${constant(untrusted, 'MAX_PATH_BYTES')} bytes | \`${untrusted}\``,
    `${served.bytes} a line, ${served.total} and ${served.messages} lines for one report; ${count('lib/core/project-tests.ts', 'MAX_TESTS')} tests, ${constant('lib/core/project-tests.ts', 'MAX_ID_LENGTH') / 1024} KiB an id |`,
    `${report.bytes} a message, ${report.total} and ${report.messages} messages |`,
    `${forker.bytes} a line, ${forker.total} |`,
    `${checker.bytes} a message, ${checker.total} |`,
    `${mib(builder, 'MAX_REPLY_BYTES')}; from the compiler of Java, ${java.bytes} a message |`,
    `${mib(`${python}/plain/line.py`, 'MAX_MESSAGE_BYTES')}; ${mib(`${javascript}/wire/rows.ts`, 'MAX_FRAME_BYTES')} in JavaScript |`,
    `${mib('lib/extra/docker/container-candidate.ts', 'MAX_UNREAD_BYTES')}; ${container.bytes} a message |`,
    `the first ${constant('lib/sandbox/process/started-process.ts', 'maxOutputBytes') / 1024} KiB of each stream are kept |`,
    `${constant(template, 'textLimitMs') / 1000} s and ${constant(template, 'MEMORY_MIB')} MiB, in a process of its own |`,
    `texts that its steps can make no longer than 2^${Math.log2(constant('lib/model/text/tokenizer.ts', 'MAX_LENGTH'))} characters; ${constant(thread, 'textLimitMs') / 1000} s and ${constant(thread, 'heapMiB') / 1024} GiB, in a thread of its own |`,
    `${constant('dataset/columns.ts', 'MAX_ID_LENGTH')} and ${shown(longestName())} characters;`,
    `${constant('lib/extra/mcp/server-parts.ts', 'MAX_PATH_BYTES')} bytes and ${nameInput.maxLength} characters |`,
    `${mib('lib/run/score/read-samples.ts', 'LARGEST')}, ${mib('dataset/load.ts', 'MAX_BYTES')}, ${mib('lib/cli/exec/command.ts', 'MAX_BYTES')}; regular files | \`lib/files/untrusted-file.ts\``,
    `${mib('lib/model/model-files.ts', 'MAX_TEXT_BYTES')} a file; regular files |`,
    `${mib('lib/files/hub/hub-listing.ts', 'MAX_PAGE_BYTES')} a page |`,
    `${constant(untrusted, 'MAX_STATE_BYTES') / 2 ** 30} GiB |`,
    `2^${Math.log2(constant(parser, 'MAX_CODE_LENGTH'))} characters, 2^${Math.log2(constant(parser, 'MAX_NODES'))} nodes, ${constant(parser, 'MAX_PARSE_MS') / 1000} s; for edits and functions, ${constant(parser, 'MAX_DEPTH')} levels |`,
    `${constant(guard, 'MAX_READ_MS') / 1000} s for parsing it and looking for functions, constants and imports, ${constant(guard, 'MEMORY_MIB')} MiB for tree-sitter and for the heap, in a thread that is stopped after ${constant(guard, 'MAX_REPLY_MS') / 1000} s | \`${guard}\``,
  ];
  expect(
    missing(
      'docs/trust.md',
      rows.map(row => `| ${row}`),
    ),
  ).toEqual([]);
  expect(
    missing('docs/trust.md', [
      `regular files of at most ${mib(untrusted, 'maxSettingsBytes')}, not links`,
      `${served.bytes} a line, ${served.total} and ${served.messages} lines for a report. A process`,
    ]),
  ).toEqual([]);
});

test('defaults of hefix fix that depend on the model', () => {
  const library = 'lib/run/library/fix-project.ts';
  const { maxRequests, time, iters, temperature, maxNewTokens, context } = fixOptions;
  const requests = maxRequests.schema.parse(undefined);
  const without = constant(library, 'SEARCH_SECONDS');
  expect(time.defaultText).toBe(
    `${without}, or ${constant(library, 'CONVERSATION_SECONDS')} with a model that writes the repair`,
  );
  expect(page(library)).toContain(`options.iters ?? ${requests - 1})`);
  expect(iters.defaultText).toBe(`${requests - 1}`);
  const asking = 'lib/fix/write/ask-model.ts';
  const step = constant(asking, 'TEMPERATURE_STEP');
  expect(temperature.defaultText).toBe(`0, and ${step} more with each answer`);
  const [answer, local] = [constant(asking, 'answer'), constant(asking, 'localAnswer')];
  expect(maxNewTokens.defaultText).toBe(`${answer}, or ${local} for a local model`);
  expect(context.schema.parse(undefined)).toBe(constant(asking, 'context'));
});

test('the size of the bundled model', () => {
  const { size } = statSync(packageFile('fixtures/model/onnx/model.onnx'));
  const config = JSON.parse(page('fixtures/model/config.json'));
  const [width, layers, inner] = [config.hidden_size, config.num_hidden_layers, config.intermediate_size];
  const narrow = (width / config.num_attention_heads) * config.num_key_value_heads;
  // Query and output, key and value, gate, up and down, biases, norms.
  const layer = 2 * width ** 2 + 2 * width * narrow + 3 * width * inner + (width + 2 * narrow) + 2 * width;
  const parameters = `${((config.vocab_size * width + layers * layer + width) / 1e6).toFixed(1)} million parameters`;
  const bytes = `(${(size / 1e6).toFixed(1)} MB)`;
  expect(missing('README.md', [parameters])).toEqual([]);
  expect(missing('docs/models.md', [parameters])).toEqual([]);
  expect(missing('docs/decisions/bundled-model.md', [`${parameters} ${bytes}`])).toEqual([]);
  expect(missing('fixtures/model/README.md', [parameters, bytes])).toEqual([]);
});

test('the bundled sets have as many tasks as the documents say', async () => {
  const sizes = await Promise.all(
    bundledNames.map(async name => [name, (await loadDataset(name)).tasks.length] as const),
  );
  const of = Object.fromEntries(sizes);
  expect(['mini-go', 'mini-rust', 'mini-cpp', 'mini-java'].map(name => of[name])).toEqual([20, 20, 20, 20]);
  const sentences = [
    `\`mini\` (${of.mini} Python tasks), \`mini-js\` (${of['mini-js']} JavaScript tasks)`,
    '`mini-cpp` and `mini-java` (20 tasks each)',
    `\`bogus\` (${of.bogus} tasks that no code can pass)`,
  ];
  expect(missing('docs/evaluate.md', sentences)).toEqual([]);
});

test('the versions of Node.js, Python and compilers that the documents name', () => {
  const { engines } = JSON.parse(page('package.json'));
  const ranges: string[] = engines.node.split(' || ');
  const versions = ranges.map(range => range.slice(1).replace(/(?:\.0)+$/, ''));
  const node = `Node.js ${versions.slice(0, -1).join(', ')} or ${versions.at(-1)}`;
  const { go, rust, cpp, java } = toolRequirements;
  const compilers = `Go ${go.minimum}, rustc ${rust.minimum} with gcc, GCC ${cpp.minimum} or JDK ${java.minimum}, or newer`;
  expect(missing('README.md', [node, 'Python 3.9 or newer'])).toEqual([]);
  expect(missing('CONTRIBUTING.md', [node, 'Python 3.9 or newer'])).toEqual([]);
  expect(missing('docs/troubleshooting.md', [node, 'Python 3.9 or newer', compilers])).toEqual([]);
  expect(missing('docs/sandbox.md', [compilers, 'CPython 3.9 or newer'])).toEqual([]);
  expect(page('lib/sandbox/python/programs/bundle.py')).toContain('sys.version_info >= (3, 9)');
});

test('the longest function', () => {
  const [, lines] = /"maxLines": (\d+)/.exec(page('biome.json')) ?? [];
  expect(missing('CONTRIBUTING.md', [`A function has at most ${lines} lines`])).toEqual([]);
});

test('the settings of containers', () => {
  const { command, image, cpus, pids } = readDockerSettings({});
  expect(
    missing('docs/configuration.md', [
      `container engine, default \`${command.join(' ')}\``,
      `default \`${image}\``,
      `processors of a container, default ${cpus}`,
      `processes and threads of a container, default ${pids}`,
    ]),
  ).toEqual([]);
  for (const path of ['README.md', 'docs/sandbox.md', 'docs/troubleshooting.md'])
    expect(missing(path, [`docker pull ${image}`])).toEqual([]);
});

/** Fields of limits that stand on one line. */
function limits(path: string, name: string) {
  const [line = ''] = new RegExp(`const ${name}\\b.*= \\{.*\\}`).exec(page(path)) ?? [];
  const size = (field: string) => {
    const [, base, exponent = '1'] = new RegExp(`\\b${field}: (\\d+)(?: \\*\\* (\\d+))?`).exec(line) ?? [];
    return Number(base) ** Number(exponent);
  };
  const bytes = (field: string) =>
    size(field) < 2 ** 20 ? `${size(field) / 2 ** 10} KiB` : `${size(field) / 2 ** 20} MiB`;
  return { bytes: bytes('bytes'), total: bytes('total'), messages: size('messages') };
}

/** Of an entry point. */
function longestName(): number {
  const fits = (length: number) => rowSchema.shape.entry_point.safeParse('a'.repeat(length)).success;
  return Array.from({ length: 1000 }, (_, length) => length).findLast(fits) ?? 0;
}
