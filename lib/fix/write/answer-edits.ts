import { codeBlocks, withoutThinking } from '../../syntax/code-blocks.ts';
import { withoutBlankEnd } from './blank-end.ts';

/** What a model wants to change, as far as its answer says. */
export type AnswerEdit =
  /** Lines of a file, and those that replace them. An empty search stands for a new file. */
  | {
      readonly kind: 'replace';
      readonly path: string | null;
      readonly search: string;
      readonly replace: string;
    }
  /** Code without a search: a function, several, or a whole file. */
  | { readonly kind: 'code'; readonly path: string | null; readonly code: string };

export interface ModelAnswer {
  readonly edits: readonly AnswerEdit[];
  /** Files that the model wants to see. */
  readonly wanted: readonly string[];
}

/**
 * Reads search/replace blocks, hunks of unified diffs and, if there is neither, code blocks. Whatever is around them
 * is an explanation.
 */
export function readModelAnswer(completion: string): ModelAnswer {
  const answer = withoutThinking(completion.replace(/\r\n?/g, '\n'));
  const blocks = searchReplaceBlocks(answer);
  const hunks = blocks.length > 0 ? blocks : diffHunks(answer);
  const edits = hunks.length > 0 ? hunks : wholeCode(answer);
  const wanted = [...answer.matchAll(/^[^\w\r\n\u2028\u2029]*SHOW:?[ \t]+`?([^\s`]+)`?[ \t\r]*$/gm)].map(
    ([, path = '']) => path,
  );
  return { edits, wanted };
}

const SEARCH = /^\s*<{5,9}\s*(?:SEARCH|ORIGINAL)\b.*$/;
const DIVIDER = /^\s*={5,9}\s*$/;
const REPLACE = /^\s*>{5,9}\s*(?:REPLACE|UPDATED)\b.*$/;

function searchReplaceBlocks(answer: string): AnswerEdit[] {
  const edits: AnswerEdit[] = [];
  const lines = answer.split('\n');
  let path: string | null = null;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (!SEARCH.test(line)) {
      path = pathIn(line) ?? path;
      continue;
    }
    const divider = indexFrom(lines, index + 1, DIVIDER);
    const end = divider === -1 ? -1 : indexFrom(lines, divider + 1, REPLACE);
    // The limit cut the answer.
    if (end === -1) break;
    const [search, replace] = [lines.slice(index + 1, divider), lines.slice(divider + 1, end)];
    edits.push({ kind: 'replace', path, search: search.join('\n'), replace: replace.join('\n') });
    index = end;
  }
  return edits;
}

function indexFrom(lines: readonly string[], from: number, wanted: RegExp): number {
  const index = lines.slice(from).findIndex(line => wanted.test(line));
  return index === -1 ? -1 : from + index;
}

/** A path on a line of its own: bare, as a heading, in backticks, or behind a fence or a word such as `File:`. */
function pathIn(line: string): string | null {
  const match =
    /^[\s#*>`-]*(?:(?:file(?:name)?|path)\s*:\s*)?[`*"']{0,3}(?!-)((?:[\w@.()[\]-]+\/)*[\w@.()[\]-]*\.[A-Za-z]{1,4})[`*"']{0,3}:?\s*$/i.exec(
      line.replace(/^```\w*\s+(?=\S)/, ''),
    );
  return match?.[1]?.replace(/^\.\//, '') ?? null;
}

/** Each hunk replaces its context and removed lines by its context and added lines. */
function diffHunks(answer: string): AnswerEdit[] {
  const edits: AnswerEdit[] = [];
  let path: string | null = null;
  let hunk: { search: string[]; replace: string[] } | null = null;
  const end = () => {
    if (hunk && (hunk.search.length > 0 || hunk.replace.length > 0))
      edits.push({
        kind: 'replace',
        path,
        search: hunk.search.join('\n'),
        replace: hunk.replace.join('\n'),
      });
    hunk = null;
  };
  for (const line of answer.split('\n')) {
    const named = /^\+\+\+ (?:[ab]\/)?([^\t\n]+)/.exec(line)?.[1];
    if (named !== undefined || /^--- \S/.test(line) || /^(?:diff |index )/.test(line)) {
      end();
      path = named?.trim() ?? path;
    } else if (/^@@.*@@/.test(line)) {
      end();
      hunk = { search: [], replace: [] };
    } else if (/^\s*```/.test(line)) end();
    else if (hunk && line.startsWith('+')) hunk.replace.push(line.slice(1));
    else if (hunk && line.startsWith('-')) hunk.search.push(line.slice(1));
    else if (hunk && !line.startsWith('\\')) {
      const context = line.startsWith(' ') ? line.slice(1) : line;
      hunk.search.push(context);
      hunk.replace.push(context);
    }
  }
  end();
  return edits.map(edit => (edit.kind === 'replace' ? withoutBlankEnds(edit) : edit));
}

/** What follows a hunk may be an empty line of the answer. */
function withoutBlankEnds(edit: Extract<AnswerEdit, { kind: 'replace' }>): AnswerEdit {
  return { ...edit, search: withoutBlankEnd(edit.search), replace: withoutBlankEnd(edit.replace) };
}

/** Code blocks, with the path that stands before each of them or in its first line. */
function wholeCode(answer: string): AnswerEdit[] {
  const parts = answer.split(/^(?=[ \t]*(?:`{3,}|~{3,})\s*\w)/m);
  return parts.flatMap((part, index) => {
    const [code] = codeBlocks(part);
    if (code === undefined) return [];
    const before = (parts[index - 1] ?? '').trimEnd().split('\n').at(-1) ?? '';
    const [first = ''] = code.split('\n');
    const inside = pathIn(first.replace(/^\s*(?:#|\/\/)\s*/, ''));
    const path = inside ?? pathIn(before);
    return [
      { kind: 'code' as const, path, code: inside === null ? code : code.split('\n').slice(1).join('\n') },
    ];
  });
}
