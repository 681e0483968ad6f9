import { basename, dirname, posix } from 'node:path';
import leven from 'leven';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { functionsIn, hasLine, type ProjectFunction } from '../localise/functions.ts';
import { encoded, newSource, readSource, type SourceFile } from '../patch/source-file.ts';
import { excerptOf, spliced } from '../patch/splice.ts';
import { isConfiguration, mayAdd, type SourceFolder, sourceBefore } from '../project/new-files.ts';
import { keepsExampleTexts } from '../project/test-code.ts';
import type { AnswerEdit } from './answer-edits.ts';
import { blankEnd, withoutBlankEnd } from './blank-end.ts';

/** The project with all repairs so far. */
export interface EditedProject extends SourceFolder {
  readonly parser: SyntaxParser;
}

export interface AppliedEdits {
  /** Files that differ, by path. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** Why edits were not applied, as the model is told. */
  readonly problems: readonly string[];
}

/**
 * Applies edits, exactly or with tolerant white space. Tests, what belongs to them, and files that are no source code of
 * the project stay as they are.
 * @param meant the function that the model was asked to write, which code without a search stands for if its name is
 * that of several
 */
export function applyEdits(
  project: EditedProject,
  edits: readonly AnswerEdit[],
  meant: ProjectFunction | null = null,
): AppliedEdits {
  const files = new Map<string, SourceFile>();
  const written = new Map<string, readonly boolean[]>();
  const problems: string[] = [];
  const now = (path: string): SourceFile => files.get(path) ?? sourceBefore(project, path);
  for (const edit of edits) {
    const added = [...files.keys()].filter(path => !project.sources.includes(path));
    const edited = added.length === 0 ? project : { ...project, sources: [...project.sources, ...added] };
    const target = targetOf(edited, edit, { now, written: path => written.get(path) ?? [], meant });
    if ('problem' in target) {
      problems.push(target.problem);
      continue;
    }
    const { file, text } = target;
    const bytes = encoded(file, text);
    if (bytes === null) problems.push(`${file.path} cannot hold a character of the edit in its encoding.`);
    else if (!keepsExampleTexts(project.parser, file.text, text))
      problems.push(`${file.path}: examples in docstrings are tests, and may not be changed.`);
    else {
      files.set(file.path, readSource(file.path, bytes));
      written.set(file.path, target.written ?? []);
    }
  }
  for (const [path, { text }] of files) if (text === sourceBefore(project, path).text) files.delete(path);
  return { files, problems };
}

interface Edited {
  readonly text: string;
  /** The lines that edits wrote; a block means the file as it was shown, not what an earlier block wrote. */
  readonly written?: readonly boolean[];
}

type Target = ({ readonly file: SourceFile } & Edited) | { readonly problem: string };

interface FilesNow {
  readonly now: (path: string) => SourceFile;
  readonly written: (path: string) => readonly boolean[];
  readonly meant: ProjectFunction | null;
}

function targetOf(project: EditedProject, edit: AnswerEdit, { now, written, meant }: FilesNow): Target {
  const path = edit.path === null ? null : placeOf(project, edit.path);
  const added = edit.path !== null && path === null ? addedBy(project, edit, edit.path) : null;
  if (added !== null) return added;
  if (edit.path !== null && path === null) return { problem: refusalOf(project, edit.path) };
  if (edit.kind === 'code') return codeTarget(project, path, edit.code, now, meant);
  if (edit.search.trim() === '')
    return {
      problem: `The edit of ${edit.path ?? 'a file'} has an empty SEARCH part. Copy the lines to replace.`,
    };
  const paths = path === null ? project.sources : [path];
  for (const each of paths) {
    const file = now(each);
    const replacement = replaced({ text: file.text, written: written(each) }, edit.search, edit.replace);
    if (replacement !== null) return { file, ...replacement };
  }
  // The path may be wrong, and the lines unique.
  const others = path === null ? [] : project.sources.filter(each => each !== path);
  const matches = others.flatMap(each => {
    const text = replaced({ text: now(each).text, written: written(each) }, edit.search, edit.replace);
    return text === null ? [] : [{ file: now(each), ...text }];
  });
  const [only] = matches;
  if (only && matches.length === 1) return only;
  return { problem: notFound(path, path === null ? null : now(path), edit.search) };
}

/** A file that the project does not have; null unless the edit is one and it may be added. */
function addedBy(project: EditedProject, edit: AnswerEdit, modelPath: string): Target | null {
  const code = edit.kind === 'code' ? edit.code : edit.search.trim() === '' ? edit.replace : null;
  const path = posix.normalize(modelPath);
  if (code === null || !mayAdd(project, path)) return null;
  return { file: newSource(path), text: code.endsWith('\n') ? code : `${code}\n` };
}

/** The path of a source file, also if the model left out or added folders. */
function placeOf({ sources }: EditedProject, modelPath: string): string | null {
  const path = posix.normalize(modelPath);
  if (isConfiguration(path)) return null;
  if (sources.includes(path)) return path;
  const ends = sources.filter(each => each.endsWith(`/${path}`) || path.endsWith(`/${each}`));
  if (ends.length === 1) return ends[0] ?? null;
  const named = ends.length === 0 ? sources.filter(each => basename(each) === basename(path)) : [];
  return named.length === 1 ? (named[0] ?? null) : null;
}

function refusalOf({ isTest, has, sources }: EditedProject, modelPath: string): string {
  const path = posix.normalize(modelPath);
  if (isTest(path)) return `${path} belongs to the tests, which may not be changed.`;
  if (has(path) || isConfiguration(path)) return `${path} is no source file that may be changed.`;
  const like = sources.filter(each => dirname(each) === dirname(path)).slice(0, 5);
  return `There is no file ${path}, and none can be added there: new files belong into a package of the project.${like.length > 0 ? ` Its folder has ${like.join(', ')}.` : ''}`;
}

/**
 * The text with the first match replaced, exact or but for white space at the ends of lines; otherwise with the only one
 * but for indentation. Null if there is none.
 */
function replaced({ text, written = [] }: Edited, search: string, replace: string): Edited | null {
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const wanted = trimmedLines(search);
  const replacementLines = trimmedBlank(replace.split('\n'), search);
  const matches = (same: (a: string, b: string) => boolean): number[] =>
    lines.flatMap((_, row) =>
      row + wanted.length <= lines.length &&
      wanted.every((line, index) => same(line, lines[row + index] ?? ''))
        ? [row]
        : [],
    );
  const exact = matches((a, b) => a === b);
  const loose = exact.length > 0 ? exact : matches((a, b) => a.trimEnd() === b.trimEnd());
  const [first, ...more] = loose.length > 0 ? loose : matches((a, b) => a.trim() === b.trim());
  const shown = loose.find(from => !written.slice(from, from + wanted.length).includes(true));
  const start = shown ?? first;
  // Lines without their indentation may be anywhere.
  if (start === undefined || (loose.length === 0 && more.length > 0)) return null;
  const shift = shiftOf(wanted, lines.slice(start, start + wanted.length));
  const shifted = replacementLines.map(line => shift(line));
  const marks = lines.map((_, line) => written[line] === true);
  return {
    text: lines.toSpliced(start, wanted.length, ...shifted).join(ending),
    written: marks.toSpliced(start, wanted.length, ...shifted.map(() => true)),
  };
}

/** Without blank lines at both ends. */
function trimmedLines(text: string): string[] {
  return withoutBlankEnd(text.replace(/^(?:[ \t]*\n)+/, '')).split('\n');
}

/** The replacement without the blank lines that were left out of the search. */
function trimmedBlank(replace: readonly string[], search: string): string[] {
  if (replace.every(line => line.trim() === '')) return [];
  const before = /^(?:[ \t]*\n)*/.exec(search)?.[0].split('\n').length ?? 1;
  const after = blankEnd(search).split('\n').length;
  let [start, end] = [0, replace.length];
  while (start < before - 1 && replace[start]?.trim() === '') start++;
  while (replace.length - end < after - 1 && replace[end - 1]?.trim() === '') end--;
  return replace.slice(start, end);
}

/** Gives lines the indentation of the file, if the model's has another. */
function shiftOf(wanted: readonly string[], actual: readonly string[]): (line: string) => string {
  const index = wanted.findIndex(line => line.trim() !== '');
  const theirs = /^[ \t]*/.exec(wanted[index] ?? '')?.[0] ?? '';
  const ours = /^[ \t]*/.exec(actual[index] ?? '')?.[0] ?? '';
  if (theirs === ours) return line => line;
  if (ours.startsWith(theirs)) {
    const added = ours.slice(theirs.length);
    return line => (line.trim() === '' ? line : added + line);
  }
  const removed = theirs.slice(ours.length);
  return line => (line.startsWith(removed) ? line.slice(removed.length) : line);
}

/** A whole file, or functions that replace those of their names. */
function codeTarget(
  { parser, sources }: EditedProject,
  path: string | null,
  code: string,
  now: (path: string) => SourceFile,
  meant: ProjectFunction | null,
): Target {
  const written = functionsIn(parser, readSource('answer', Buffer.from(code)));
  const top = written.filter(
    each =>
      !written.some(
        other => other !== each && other.firstLine <= each.firstLine && each.lastLine <= other.lastLine,
      ),
  );
  const candidates = path === null ? [...new Set([...(meant ? [meant.file.path] : []), ...sources])] : [path];
  for (const each of candidates) {
    const file = now(each);
    const defined = functionsIn(parser, file);
    const isWhole =
      path !== null &&
      defined.length > 0 &&
      defined.every(one => written.some(other => other.qualified === one.qualified)) &&
      (hasOtherCode(code, top) || !hasOtherCode(file.text, defined));
    if (isWhole) return { file, text: code.endsWith('\n') ? code : `${code}\n` };
    const pairs = top.flatMap(one => {
      const same = defined.filter(other => other.qualified === one.qualified);
      const named = same.length > 0 ? same : defined.filter(other => other.name === one.name);
      const isMeant = (other: ProjectFunction): boolean =>
        each === meant?.file.path &&
        other.qualified === meant.qualified &&
        other.headerLine === meant.headerLine;
      const old = named.find(isMeant) ?? (named.length === 1 ? named[0] : undefined);
      return old ? [{ one, old }] : [];
    });
    if (pairs.length === 0 || pairs.length < top.length) continue;
    const text = pairs
      .toSorted((a, b) => b.old.firstLine - a.old.firstLine)
      .reduce((changed, { one, old }) => {
        const lines = code.split('\n').slice(one.firstLine - 1, one.lastLine);
        const indent = /^[ \t]*/.exec(lines[0] ?? '')?.[0] ?? '';
        const version = lines.map(line => (line.startsWith(indent) ? line.slice(indent.length) : line));
        return spliced(changed, excerptOf(changed, old.firstLine - 1, old.lastLine), version.join('\n'));
      }, file.text);
    return { file, text };
  }
  return {
    problem: meant
      ? `The code is not the function ${meant.qualified}. Write this function, and no other.`
      : 'The code names neither a file nor a function of the project. Answer with SEARCH/REPLACE blocks.',
  };
}

/** Whether a text has code outside of functions, such as imports. */
function hasOtherCode(text: string, functions: readonly ProjectFunction[]): boolean {
  return text
    .split(/\r?\n/)
    .some((line, index) => /^[^\s#/*]/.test(line) && !functions.some(each => hasLine(each, index + 1)));
}

/** Tells the lines of the file that are most like the search. */
function notFound(path: string | null, file: SourceFile | null, search: string): string {
  const wanted = trimmedLines(search);
  if (path === null || !file)
    return `No file has the lines of a SEARCH part, which begins with \`${wanted[0]?.trim()}\`. Put the path of the file before each block.`;
  const lines = file.text.split(/\r?\n/);
  const first = wanted.find(line => line.trim().length > 3) ?? wanted[0] ?? '';
  const distances = lines.map(line => leven(line.trim().slice(0, 120), first.trim().slice(0, 120)));
  const nearest = distances.indexOf(Math.min(...distances));
  const shown = lines.slice(Math.max(0, nearest - 1), nearest + wanted.length + 1).slice(0, MAX_SHOWN);
  return `${path} does not have the lines of the SEARCH part that begins with \`${first.trim()}\`. The nearest lines are:\n\`\`\`\n${shown.join('\n')}\n\`\`\``;
}

const MAX_SHOWN = 20;
