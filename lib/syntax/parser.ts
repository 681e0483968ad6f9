import { createRequire } from 'node:module';
import treeSitter, { type Node, type Parser, type Point, type Tree } from '@vscode/tree-sitter-wasm';
import { languageUnsupported } from '../core/errors.ts';
import type { Language } from '../core/task.ts';
import { fingerprintOf, fingerprintOfNode } from './fingerprint.ts';
import { fragments } from './fragments.ts';
import type { Grammar, Statement } from './program.ts';

/**
 * Reads the structure of programs. The parser is lenient: its result for broken code is a guess, and whether code is
 * valid is decided by the language's own parser (`Sandbox.checkSyntax`). More than 2^20 characters or 2^17 nodes, and what
 * takes longer than 0.4 s to parse or has more than 1000 `a < b` in one statement (in Java, in all) count as code with a
 * syntax error; in Python, `a < b` is never a list of types.
 */
export interface SyntaxParser {
  readonly language: Language;
  /** The top-level statements; for text that is not a program, those that can be recognised. */
  statements(code: string): readonly Statement[];
  /** Whether all of the code was parsed. */
  parses(code: string): boolean;
  /** Equal for programs that differ only in layout, comments, quotes, docstrings and the like. */
  fingerprint(code: string): string;
  /** The names of arguments in calls: `f(key=1)` gives `key`. */
  argumentNames(code: string): readonly string[];
  /**
   * Gives access to the tree, which is freed when `use` returns; positions count UTF-16 code units. Text that is nested
   * deeper than anybody writes has a tree with nothing but a syntax error.
   */
  read<T>(code: string, use: (root: Node) => T): T;
  /** Like `read`, but the tree stays valid until it is closed. */
  open(code: string): OpenTree;
  /** Why `read` and `open` give no tree of the code, as the end of a sentence about it; null if they do. */
  excessOf(code: string): string | null;
  /** Like `fingerprint`, for part of a tree that is being read. */
  fingerprintOf(node: Node): string;
  /** Puts methods that stand alone into the class of a declaration; absent where functions need no class. */
  readonly inDeclaredClass?: (declaration: string, methods: string) => string;
}

export interface OpenTree {
  readonly root: Node;
  /**
   * Like `SyntaxParser.read`, for the code in which `text` replaces what lies between `start` and `end`. Only what the
   * change affects is parsed again.
   */
  readEdited<T>(start: number, end: number, text: string, use: (root: Node) => T): T;
  /** Frees the tree: it lives in WebAssembly memory, which is not garbage-collected. */
  close(): void;
}

/**
 * The parser of a language. Its grammar, 0.2 to 5.4 MB of WebAssembly that cannot be freed, is loaded with
 * the first call and kept.
 * @throws HefixError LANGUAGE_UNSUPPORTED
 */
export async function openParser(language: Language): Promise<SyntaxParser> {
  const source: Source | undefined = sources[language];
  if (!source) throw languageUnsupported(language, Object.keys(sources));
  const parser = opened.get(language) ?? loadParser(language, source);
  opened.set(language, parser);
  return parser;
}

/**
 * A parser of TypeScript, whose tree has the nodes of JavaScript's. @param jsx for files with JSX, in which types cannot
 * be asserted with angle brackets
 */
export async function openTypeScriptParser(jsx: boolean): Promise<SyntaxParser> {
  const wasm = `tree-sitter-${jsx ? 'tsx' : 'typescript'}.wasm`;
  const parser = opened.get(wasm) ?? loadParser('js', { ...sources.js, wasm });
  opened.set(wasm, parser);
  return parser;
}

const opened = new Map<string, Promise<SyntaxParser>>();

async function loadParser(language: Language, { wasm, grammar }: Source): Promise<SyntaxParser> {
  await treeSitter.Parser.init();
  const parser = new treeSitter.Parser();
  parser.setLanguage(await treeSitter.Language.load(require.resolve(`${wasmFolder}/${wasm}`)));
  return syntaxParser(language, parser, await grammar());
}

const require = createRequire(import.meta.url);
const wasmFolder = '@vscode/tree-sitter-wasm/wasm';

interface Source {
  readonly wasm: string;
  grammar(): Promise<Grammar>;
}

const sources = {
  python: {
    wasm: 'tree-sitter-python.wasm',
    grammar: async () => (await import('./languages/python.ts')).python,
  },
  js: {
    wasm: 'tree-sitter-javascript.wasm',
    grammar: async () => (await import('./languages/javascript.ts')).javascript,
  },
  go: {
    wasm: 'tree-sitter-go.wasm',
    grammar: async () => (await import('./languages/go.ts')).go,
  },
  cpp: {
    wasm: 'tree-sitter-cpp.wasm',
    grammar: async () => (await import('./languages/cpp.ts')).cpp,
  },
  java: {
    wasm: 'tree-sitter-java.wasm',
    grammar: async () => (await import('./languages/java.ts')).java,
  },
  rust: {
    wasm: 'tree-sitter-rust.wasm',
    grammar: async () => (await import('./languages/rust.ts')).rust,
  },
} as const satisfies Partial<Record<Language, Source>>;

function syntaxParser(language: Language, parser: Parser, grammar: Grammar): SyntaxParser {
  const parse = parsing(parser, language);
  const parsed: SyntaxParser = {
    language,
    statements: remembered(code => read(parse, code, root => statementsOf(root))),
    parses: code => read(parse, code, root => !root.hasError),
    fingerprint: remembered(code => read(parse, code, root => fingerprintOf(root, language))),
    argumentNames: remembered(code => read(parse, code, root => grammar.argumentNames(root))),
    read: (code, use) => read(parse, code, use, MAX_DEPTH),
    open: code => open(parse, code, MAX_DEPTH),
    excessOf(code) {
      const { tree, excess } = parse.limited(code, MAX_DEPTH);
      tree.delete();
      return excess;
    },
    fingerprintOf: node => fingerprintOfNode(node, language),
  };
  const { inDeclaredClass } = grammar;
  if (!inDeclaredClass) return parsed;
  return {
    ...parsed,
    inDeclaredClass: (declaration, methods) => inDeclaredClass(parsed, declaration, methods),
  };

  function statementsOf(root: Node): Statement[] {
    if (!root.hasError) return grammar.statements(root);
    return fragments(root.text, grammar).flatMap(fragment =>
      read(parse, fragment, part =>
        part.hasError ? brokenFunction(fragment, grammar) : grammar.statements(part),
      ),
    );
  }
}

function read<T>(
  parse: Parsing,
  code: string,
  use: (root: Node) => T,
  maxDepth = Number.POSITIVE_INFINITY,
): T {
  const tree = open(parse, code, maxDepth);
  try {
    return use(tree.root);
  } finally {
    tree.close();
  }
}

export const MAX_CODE_LENGTH = 2 ** 20;
/** Walks through so many nodes take a good part of a second. The longest files that people write have no more. */
const MAX_NODES = 2 ** 17;
/** Nothing else is done meanwhile, so that neither a time limit nor Ctrl-C counts. */
const MAX_PARSE_MS = 400;
/** Walks through a tree recur for each level, and take texts of what is inside. */
const MAX_DEPTH = 500;
/** Read in place of code that exceeds these limits: it has a syntax error and nothing else. */
const UNREADABLE = ')';

/** Whether a tree has more levels than the limit. What has fewer characters has fewer levels, and is not looked at. */
function isDeeper(tree: Tree, maxDepth: number): boolean {
  if (maxDepth === Number.POSITIVE_INFINITY) return false;
  const cursor = tree.walk();
  const isLong = () => cursor.endIndex - cursor.startIndex > maxDepth;
  try {
    for (let depth = 0; ; ) {
      if (isLong() && cursor.gotoFirstChild()) {
        if (++depth > maxDepth) return true;
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return false;
        depth--;
      }
    }
  } finally {
    cursor.delete();
  }
}

/** A tree, which the caller deletes, of the code or, if it exceeds a limit, of other code. */
interface LimitedTree {
  readonly code: string;
  readonly tree: Tree;
  readonly excess: string | null;
}

interface Parsing {
  whole(code: string, old?: Tree): Tree;
  limited(code: string, maxDepth: number): LimitedTree;
}

/** The last long text is parsed once: the functions of a file are looked for several times in a row. */
function parsing(parser: Parser, language: Language): Parsing {
  let last: { readonly code: string; readonly maxDepth: number; readonly limited: LimitedTree } | null = null;
  /** Null if it takes too long. */
  const inTime = (code: string, old?: Tree): Tree | null => {
    if (isAmbiguous(code, language)) return null;
    const tree = parser.parse(code, old, { progressCallback: stopAfter(MAX_PARSE_MS) });
    // What was stopped would go on with the next text.
    if (!tree) parser.reset();
    return tree;
  };
  const whole = (code: string, old?: Tree) => {
    const tree = inTime(code, old) ?? parser.parse(UNREADABLE);
    if (!tree) throw new Error('tree-sitter gave no tree');
    return tree;
  };
  const excessOf = (tree: Tree, maxDepth: number): string | null => {
    if (tree.rootNode.descendantCount > MAX_NODES) return `has more than ${MAX_NODES} syntax nodes`;
    return isDeeper(tree, maxDepth) ? `is nested deeper than ${maxDepth} levels` : null;
  };
  const limited = (code: string, maxDepth: number): LimitedTree => {
    if (code.length > MAX_CODE_LENGTH)
      return {
        code: UNREADABLE,
        tree: whole(UNREADABLE),
        excess: `has more than ${MAX_CODE_LENGTH} characters`,
      };
    const tree = inTime(code);
    if (!tree)
      return {
        code: UNREADABLE,
        tree: whole(UNREADABLE),
        excess: 'takes too long to parse',
      };
    const excess = excessOf(tree, maxDepth);
    if (excess === null) return { code, tree, excess };
    tree.delete();
    return { code: UNREADABLE, tree: whole(UNREADABLE), excess };
  };
  return {
    whole,
    limited(code, maxDepth) {
      if (code.length < LONG) return limited(code, maxDepth);
      if (last?.code !== code || last.maxDepth !== maxDepth) {
        last?.limited.tree.delete();
        last = null;
        last = { code, maxDepth, limited: limited(code, maxDepth) };
      }
      return { ...last.limited, tree: last.limited.tree.copy() };
    },
  };
}

/** Characters whose parsing takes about a millisecond. */
const LONG = 2 ** 10;

/**
 * Whether a statement has so many `a < b` that each may begin a list of types: all readings are kept at once, which uses
 * up the memory of tree-sitter, whose module then works no more. Nothing can stop it in between.
 */
function isAmbiguous(code: string, language: Language): boolean {
  if (language === 'python') return false;
  let open = 0;
  for (const [sign] of code.matchAll(/[;{}]|[\w$)\]]\s*<(?![/=<])/g)) {
    const endsStatement = /[;{}]/.test(sign);
    // The grammar of Java looks for the end of a list beyond that of the statement.
    if (endsStatement && language === 'java') continue;
    open = endsStatement ? 0 : open + 1;
    if (open > MAX_OPEN) return true;
  }
  return false;
}

const MAX_OPEN = 1000;

/** A parser that takes some texts for syntax errors. @param excess why, by text, as `excessOf` says it */
export function refusing(parser: SyntaxParser, excess: ReadonlyMap<string, string>): SyntaxParser {
  const readable = (code: string): string => (excess.has(code) ? UNREADABLE : code);
  return {
    ...parser,
    statements: code => parser.statements(readable(code)),
    parses: code => parser.parses(readable(code)),
    fingerprint: code => parser.fingerprint(readable(code)),
    argumentNames: code => parser.argumentNames(readable(code)),
    read: (code, use) => parser.read(readable(code), use),
    open: code => parser.open(readable(code)),
    excessOf: code => excess.get(code) ?? parser.excessOf(code),
  };
}

/** On a busy machine, so much of the processor's time counts, not of the clock's. */
export function stopAfter(milliseconds: number): () => boolean {
  const [started, before] = [performance.now(), process.cpuUsage()];
  return () => {
    if (performance.now() - started < milliseconds) return false;
    const { user, system } = process.cpuUsage(before);
    return user + system > milliseconds * 1000;
  };
}

function open(parse: Parsing, text: string, maxDepth: number): OpenTree {
  const { code, tree } = parse.limited(text, maxDepth);
  return {
    root: tree.rootNode,
    readEdited(start, end, text, use) {
      const before = code.slice(0, start);
      const old = tree.copy();
      old.edit({
        startIndex: start,
        oldEndIndex: end,
        newEndIndex: start + text.length,
        startPosition: endPosition(before),
        oldEndPosition: endPosition(code.slice(0, end)),
        newEndPosition: endPosition(before + text),
      });
      const edited = parse.whole(before + text + code.slice(end), old);
      try {
        return use(edited.rootNode);
      } finally {
        edited.delete();
        old.delete();
      }
    },
    close: () => tree.delete(),
  };
}

function endPosition(text: string): Point {
  const lines = text.split('\n');
  return { row: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
}

/**
 * A function with a syntax error is kept whole, so that the error can be reported; anything else is prose.
 */
function brokenFunction(fragment: string, grammar: Grammar): Statement[] {
  const name = grammar.header.exec(fragment)?.[1];
  if (!name) return [];
  return [
    {
      kind: 'function',
      text: fragment,
      parses: false,
      defines: [name],
      needs: [],
      signature: null,
      inner: [],
    },
  ];
}

/** The same function, which computes each of the last texts once: a task's code is read several times in a row. */
export function remembered<Result extends object | string>(
  compute: (text: string) => Result,
): (text: string) => Result {
  const cache = new Map<string, Result>();
  return text => {
    const before = cache.get(text);
    if (before !== undefined) return before;
    const result = compute(text);
    cache.set(text, result);
    const [oldest] = cache.size > MAX_TEXTS ? cache.keys() : [];
    if (oldest !== undefined) cache.delete(oldest);
    return result;
  };
}

const MAX_TEXTS = 64;
