import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesIn } from '../../files/paths.ts';
import { parseJson, readUntrustedText } from '../../files/untrusted-file.ts';
import { frameworkMissing, frameworkTooOld, frameworkUnsupported, typeScriptNeedsNode } from '../errors.ts';
import type { ModuleFolder } from './module-folders.ts';
import { maxProjectBytes } from './snapshot.ts';

/** What runs a project's JavaScript tests; scripts of assertions run as node:test's do. */
export type JavaScriptFramework = (typeof supported)[number];

const supported = ['node:test', 'vitest', 'jest', 'mocha', 'ava', 'tape'] as const;

export interface FoundFramework {
  readonly framework: JavaScriptFramework;
  /** How a script of package.json starts it; null if none does. */
  readonly command: ScriptCommand | null;
  /** The package that lets Node read the tests, if it needs one. */
  readonly loader: string | null;
}

/**
 * The framework that the tests import; otherwise the one that a script, a configuration file or the packages of
 * package.json name.
 * @param tests paths of test files, relative to the root @param modules the folders of installed packages
 * @throws HefixError `TESTS_NOT_COLLECTED` if the framework is not installed or not supported, or this Node cannot run
 * the tests
 */
export function frameworkOf(
  root: string,
  tests: readonly string[],
  modules: readonly ModuleFolder[],
): FoundFramework {
  const texts = tests.map(path => readUntrustedText(root, path, maxProjectBytes));
  const commands = testCommands(root, new Set([...Object.keys(programs), 'node', 'tsx', 'bun', 'deno']));
  const named = imported(texts);
  const run = scripted(commands);
  // A few tests for another runtime do not decide about the others.
  const isOther = named !== undefined && !isSupported(named) && run !== undefined && isSupported(run);
  const framework =
    (isOther ? run : named) ??
    plain(texts) ??
    run ??
    configured(root) ??
    depended(root) ??
    ('node:test' as const);
  if (!isSupported(framework)) throw frameworkUnsupported(framework);
  if (framework !== 'node:test' && homeOf(framework, modules) === undefined)
    throw frameworkMissing(framework);
  const version = framework === 'vitest' ? versionOf(framework, modules) : '';
  if (/^0\./.test(version)) throw frameworkTooOld(framework, version);
  const command = commands.find(each => frameworkIn(each) === framework) ?? null;
  const isTyped = framework === 'node:test' && tests.some(path => /\.(?:[cm]?ts|[jt]sx)$/.test(path));
  const loader = isTyped ? loaderOf(command, modules) : null;
  if (isTyped && loader === null && !readsTypeScript()) throw typeScriptNeedsNode(process.versions.node);
  return { framework, command, loader };
}

/** The folder of the copy, relative to it, in which a package is installed. */
export function homeOf(name: string, modules: readonly ModuleFolder[]): string | undefined {
  return modules.find(({ path }) => existsSync(join(path, name)))?.folder;
}

function versionOf(name: string, modules: readonly ModuleFolder[]): string {
  const folder = modules.find(({ path }) => existsSync(join(path, name)))?.path;
  const manifest = parseJson(folder === undefined ? '' : readUntrustedText(folder, `${name}/package.json`));
  return String((manifest as { version?: unknown } | undefined)?.version ?? '');
}

/** Programs, with how tests import their frameworks. */
const programs: Readonly<Record<string, RegExp>> = {
  vitest: importOf('vitest'),
  jest: importOf('@jest/globals'),
  mocha: importOf('mocha'),
  'node:test': /['"]node:test['"]|require\(['"]test['"]\)/,
  ava: importOf('ava'),
  uvu: importOf('uvu'),
  tape: importOf('tape'),
  tap: importOf('tap'),
  jasmine: importOf('jasmine'),
  qunit: /(?:from|import|require\()\s*['"]qunit['"]/i,
  'bun test': importOf('bun:test'),
  'deno test': /(?:from|import)\s*['"]@std\/assert['"]|\bDeno\.test\(/,
};

/** Tests may have the name of a framework as a text. */
function importOf(name: string): RegExp {
  return new RegExp(`(?:from|import|require\\()\\s*['"]${name}['"]`);
}

/** The one that most tests import. */
function imported(texts: readonly string[]): string | undefined {
  const counted = Object.entries(programs).map(([name, pattern]) => ({
    name,
    count: texts.filter(text => pattern.test(text)).length,
  }));
  const [most] = counted.toSorted((a, b) => b.count - a.count);
  return most && most.count > 0 ? most.name : undefined;
}

/** Scripts of assertions use no framework. */
function plain(texts: readonly string[]): string | undefined {
  const isPlain = (text: string): boolean =>
    /['"](?:node:)?assert(?:\/strict)?['"]/.test(text) &&
    !/\b(?:test|it|describe|suite)\b[\w.]*\(/.test(text);
  return texts.length > 0 && texts.every(isPlain) ? 'node:test' : undefined;
}

function scripted(commands: readonly ScriptCommand[]): string | undefined {
  return commands.map(frameworkIn).find(name => name !== null) ?? undefined;
}

function frameworkIn({ program, args }: ScriptCommand): string | null {
  if (program === 'node' || program === 'tsx') return args.includes('--test') ? 'node:test' : null;
  if (program === 'bun' || program === 'deno') return args[0] === 'test' ? `${program} test` : null;
  return program;
}

function configured(root: string): string | undefined {
  const names = namesIn(root);
  const has = (pattern: RegExp): boolean => names.some(name => pattern.test(name));
  return [
    ['vitest', /^vitest\.(?:config|workspace)\./] as const,
    ['jest', /^jest\.config\./] as const,
    ['mocha', /^\.mocharc\./] as const,
    ['ava', /^ava\.config\./] as const,
  ].find(([, pattern]) => has(pattern))?.[0];
}

function depended(root: string): string | undefined {
  const manifest = readUntrustedText(root, 'package.json');
  return ['vitest', 'jest', 'mocha', 'ava', 'tape'].find(name => manifest.includes(`"${name}"`));
}

function isSupported(name: string): name is JavaScriptFramework {
  return supported.some(each => each === name);
}

/** The package that a script loads into Node, or the first of the usual ones that is installed. */
function loaderOf(command: ScriptCommand | null, modules: readonly ModuleFolder[]): string | null {
  const named = command?.program === 'tsx' ? 'tsx' : command?.args.map(loaderIn).find(Boolean);
  if (named !== undefined || readsTypeScript()) return named ?? null;
  const usual = ['tsx', '@swc-node/register/esm-register', 'ts-node/register'];
  return usual.find(name => homeOf(packageOf(name), modules) !== undefined) ?? null;
}

/** `@scope/name/file` belongs to `@scope/name`. */
export function packageOf(module: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;
}

function loaderIn(word: string): string | undefined {
  return /^(?:--\S+=)?((?:tsx|ts-node|@swc-node\/register|esbuild-register)(?:\/\S*)?)$/.exec(word)?.[1];
}

/** Older versions of Node do not have this property. */
function readsTypeScript(): boolean {
  return Boolean(Reflect.get(process.features, 'typescript'));
}

/** A program that a script of package.json starts. */
interface ScriptCommand {
  /** Name of the program, without its folder. */
  readonly program: string;
  readonly args: readonly string[];
  /** What is set for it: `TZ=UTC`. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The commands of the scripts in package.json that are about tests, those of `test` first. Words of the shell other than
 * quotes are taken as they stand. @param programs whose commands are wanted; others are passed over, as are wrappers
 * such as npx, c8 and cross-env.
 */
export function testCommands(root: string, programs: ReadonlySet<string>): ScriptCommand[] {
  const scripts = Object(Object(parseJson(readUntrustedText(root, 'package.json'))).scripts);
  const names = Object.keys(scripts).filter(name => /test|unit|spec|^ci$/.test(name));
  const ordered = names.toSorted((a, b) => Number(b === 'test') - Number(a === 'test'));
  return ordered.flatMap(name => commandsIn(String(scripts[name]), programs));
}

function commandsIn(script: string, programs: ReadonlySet<string>): ScriptCommand[] {
  return commandLines(script).flatMap(argv => {
    const index = argv.findIndex(word => programs.has(basename(word)));
    const word = argv[index];
    if (word === undefined) return [];
    const set = argv.slice(0, index).flatMap(each => {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/.exec(each) ?? [];
      return name === undefined ? [] : [[name, value ?? ''] as const];
    });
    return [{ program: basename(word), args: argv.slice(index + 1), env: Object.fromEntries(set) }];
  });
}

/** The words of each command, without their quotes; a quote that does not end reaches to the end of the script. */
function commandLines(script: string): string[][] {
  const lines: string[][] = [[]];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) lines.at(-1)?.push(word);
    word = null;
  };
  // Something matches at every place, so that no quote is looked for twice.
  const tokens = /"((?:\\[\s\S]|[^"\\])*)(?:"|\\?$)|'([^']*)(?:'|$)|(&&|[;|])|[\s&]|([^\s"';|&]+)/g;
  for (const [, quoted, single, separator, plain] of script.matchAll(tokens)) {
    const text = quoted ?? single ?? plain;
    if (text !== undefined) word = `${word ?? ''}${text}`;
    else endWord();
    if (separator !== undefined) lines.push([]);
  }
  endWord();
  return lines;
}
