import type { Language } from '../../core/task.ts';
import { hasLine, type ProjectFunction } from '../localise/functions.ts';
import type { Suspect } from '../localise/suspects.ts';
import type { SourceFile } from '../patch/source-file.ts';

/**
 * Grammars in GBNF, the notation of llama.cpp (https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md), which
 * vLLM and SGLang read too. A line in front of the edits never begins with `<`, so that an edit cannot be taken for it, and
 * there are few: small models go on until their tokens are spent.
 */

/** Maximum number of lines that blocks may replace. */
const MAX_LINES = 400;
/** Files of at most this many lines may be changed anywhere, others in the suspicious functions. */
const SHORT_FILE = 200;

/**
 * Words, and then search/replace blocks, whose SEARCH lines are lines of the suspicious files: they always apply.
 * Undefined if there are none.
 * @param source the files with all repairs so far
 */
export function blocksGrammar(
  suspects: readonly Suspect[],
  source: (path: string) => SourceFile,
): string | undefined {
  const paths = [...new Set(suspects.map(({ function: { file } }) => file.path))];
  let left = MAX_LINES;
  const files = paths.flatMap(path => {
    const lines = source(path).text.split(/\r?\n/);
    const inFile = suspects.flatMap(({ function: each }) => (each.file.path === path ? [each] : []));
    const mayChange = (index: number): boolean =>
      lines.length <= SHORT_FILE || inFile.some(each => hasLine(each, index + 1));
    const changeable = lines
      .flatMap((line, index) => (mayChange(index) && !MARKER.test(line) ? [index] : []))
      .slice(0, left);
    left -= changeable.length;
    const used = changeable.some(index => lines[index]?.trim() !== '');
    return used ? [{ path, lines, changeable: new Set(changeable) }] : [];
  });
  if (files.length === 0) return undefined;
  const rules = files.flatMap(({ path, lines, changeable }, file) => [
    `file${file} ::= ${literal(`${path}\n<<<<<<< SEARCH\n`)} search${file} "=======\\n" new* ">>>>>>> REPLACE\\n"`,
    `search${file} ::= ${[...changeable].flatMap(index => (lines[index]?.trim() === '' ? [] : [`f${file}l${index}`])).join(' | ')}`,
    ...[...changeable].map(
      index =>
        `f${file}l${index} ::= ${literal(`${lines[index]}\n`)}${changeable.has(index + 1) ? ` f${file}l${index + 1}?` : ''}`,
    ),
  ]);
  return [
    `root ::= ${WORDS} edit+`,
    `edit ::= "\\n"? (${files.map((_, file) => `file${file}`).join(' | ')})`,
    ...rules,
    SAID,
    'new ::= "\\n" | [^>\\n] [^\\n]* "\\n"',
    '',
  ].join('\n');
}

/** Words, and then the path and a code block with the whole function. */
export function functionGrammar(written: ProjectFunction, language: Language): string {
  return [
    `root ::= ${WORDS} ${literal(functionStart(written, language))} [^\\n]* "\\n" code* "\`\`\`" "\\n"?`,
    SAID,
    'code ::= "\\n" | [^`\\n] [^\\n]* "\\n"',
    '',
  ].join('\n');
}

/** The path, and the code block up to the function's name: its parameters and their defaults may change. */
export function functionStart(
  { file, firstLine, headerLine, name }: ProjectFunction,
  language: Language,
): string {
  const lines = file.text.split(/\r?\n/).slice(firstLine - 1, headerLine);
  const header = lines.at(-1) ?? '';
  const named = header.slice(0, header.indexOf(name) + name.length);
  const before = [...lines.slice(0, -1), named].join('\n');
  return `${file.path}\n\`\`\`${fenceWord(language)}\n${before}`;
}

/** The word behind the opening fence of a code block. */
export function fenceWord(language: Language): string {
  return language === 'python' ? 'python' : 'typescript';
}

/** At most three lines, as explanations of a cause have. */
const WORDS = 'said? said? said?';
const SAID = 'said ::= "\\n" | [^<`\\n] [^\\n]{0,300} "\\n"';
/** Lines that separate the parts of a block. */
const MARKER = /^\s*(?:<{5,9}|={5,9}|>{5,9})/;

/** The quoted form of a text; control characters are written as code points. */
function literal(text: string): string {
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]/g, character => {
    if (character === '\n') return '\\n';
    if (character === '"' || character === '\\') return `\\${character}`;
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}
