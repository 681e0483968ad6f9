import { createRequire } from 'node:module';
import treeSitter, { type Node, type Parser } from '@vscode/tree-sitter-wasm';
import { languageUnsupported } from '../core/errors.ts';
import type { Language } from '../core/task.ts';
import { fingerprintOf, fingerprintOfNode } from './fingerprint.ts';
import { fragments } from './fragments.ts';
import type { Grammar } from './grammar.ts';
import { javascript } from './javascript.ts';
import type { Statement } from './program.ts';
import { python } from './python.ts';

/**
 * Reads the structure of programs. It is lenient: what it makes of broken code is a guess, and
 * whether code parses is for the language's own parser to say (`Sandbox.checkSyntax`).
 */
export interface SyntaxParser {
  readonly language: Language;
  /** The statements at the top level; of text that is no program, those that can be made out. */
  statements(code: string): readonly Statement[];
  /** Whether all of the code can be made out. */
  parses(code: string): boolean;
  /** The same for programs that differ in layout, comments, quotes, docstrings and the like alone. */
  fingerprint(code: string): string;
  /** The names of arguments in calls: `f(key=1)` gives `key`. */
  argumentNames(code: string): readonly string[];
  /** Looks at the tree itself, which is gone when `use` returns; positions count UTF-16 code units. */
  read<T>(code: string, use: (root: Node) => T): T;
  /** As `read`, for as long as the tree is not closed. */
  open(code: string): OpenTree;
  /** As `fingerprint`, of a part of a tree that is being looked at. */
  fingerprintOf(node: Node): string;
}

export interface OpenTree {
  readonly root: Node;
  /** Frees it: trees live in WebAssembly's memory, which no garbage collector frees. */
  close(): void;
}

/**
 * The parser of a language. Its grammar, half a megabyte of WebAssembly that is never freed, is loaded
 * with the first call and kept.
 * @throws HefixError LANGUAGE_UNSUPPORTED
 */
export async function openParser(language: Language): Promise<SyntaxParser> {
  const source = sources[language];
  if (!source) throw languageUnsupported(language, Object.keys(sources));
  const parser = opened.get(language) ?? loadParser(language, source);
  opened.set(language, parser);
  return parser;
}

const opened = new Map<Language, Promise<SyntaxParser>>();

async function loadParser(language: Language, { wasm, grammar }: Source): Promise<SyntaxParser> {
  await treeSitter.Parser.init();
  const parser = new treeSitter.Parser();
  parser.setLanguage(await treeSitter.Language.load(require.resolve(`${wasmFolder}/${wasm}`)));
  return syntaxParser(language, parser, grammar);
}

const require = createRequire(import.meta.url);
const wasmFolder = '@vscode/tree-sitter-wasm/wasm';

interface Source {
  readonly wasm: string;
  readonly grammar: Grammar;
}

const sources: Partial<Record<Language, Source>> = {
  python: { wasm: 'tree-sitter-python.wasm', grammar: python },
  js: { wasm: 'tree-sitter-javascript.wasm', grammar: javascript },
};

function syntaxParser(language: Language, parser: Parser, grammar: Grammar): SyntaxParser {
  return {
    language,
    statements: code => read(parser, code, root => statementsOf(root)),
    parses: code => read(parser, code, root => !root.hasError),
    fingerprint: code => read(parser, code, root => fingerprintOf(root, language)),
    argumentNames: code => read(parser, code, root => grammar.argumentNames(root)),
    read: (code, use) => read(parser, code, use),
    open: code => open(parser, code),
    fingerprintOf: node => fingerprintOfNode(node, language),
  };

  function statementsOf(root: Node): Statement[] {
    if (!root.hasError) return grammar.statements(root);
    return fragments(root.text, grammar).flatMap(fragment =>
      read(parser, fragment, part =>
        part.hasError ? brokenFunction(fragment, grammar) : grammar.statements(part),
      ),
    );
  }
}

function read<T>(parser: Parser, code: string, use: (root: Node) => T): T {
  const tree = open(parser, code);
  try {
    return use(tree.root);
  } finally {
    tree.close();
  }
}

function open(parser: Parser, code: string): OpenTree {
  const tree = parser.parse(code);
  if (!tree) throw new Error('tree-sitter gave no tree');
  return { root: tree.rootNode, close: () => tree.delete() };
}

/** A function with a slip in it is kept whole, so that the slip can be named; anything else is prose. */
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
