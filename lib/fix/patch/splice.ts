import { diffArrays } from 'diff';

/** The lines of a text, with their endings. */
function rawLines(text: string): string[] {
  return text.match(/[^\n]+\n?|\n/g) ?? [];
}

/** A function's lines, shifted to the left margin, as users and models see it. */
export interface Excerpt {
  /** 0-based index of its first line in the file, and of the line after its last. */
  readonly start: number;
  readonly end: number;
  /** Text before the function in its first line. */
  readonly indentation: string;
  /** Lines end with `\n`, except for the last. */
  readonly code: string;
}

export function excerptOf(text: string, start: number, end: number): Excerpt {
  const lines = rawLines(text).slice(start, end).map(withoutEnding);
  const indentation = /^[ \t]*/.exec(lines[0] ?? '')?.[0] ?? '';
  const code = lines.map(line => dedented(line, indentation)).join('\n');
  return { start, end, indentation, code };
}

/**
 * The file with new code in place of the excerpt. Unchanged lines keep their bytes, including line endings;
 * new lines get the indentation and line ending of the lines around them. Nothing outside of the excerpt
 * changes.
 */
export function spliced(text: string, excerpt: Excerpt, code: string): string {
  const all = rawLines(text);
  const { start, end, indentation } = excerpt;
  const excerptLines = all.slice(start, end);
  const ending = commonEnding(excerptLines.length > 1 ? excerptLines : all);
  const isUnended = !(excerptLines.at(-1) ?? '').endsWith('\n');
  const result: string[] = [];
  let index = 0;
  for (const { value, added, removed } of diffArrays(excerpt.code.split('\n'), code.split('\n'))) {
    if (added) for (const line of value) result.push(indented(line, indentation) + ending);
    else {
      if (!removed) for (const line of excerptLines.slice(index, index + value.length)) result.push(line);
      index += value.length;
    }
  }
  const fitted = result.map((line, index) => {
    const isLast = index === result.length - 1;
    if (isLast && isUnended) return withoutEnding(line);
    return line.endsWith('\n') ? line : line + ending;
  });
  return [...all.slice(0, start), ...fitted, ...all.slice(end)].join('');
}

function withoutEnding(line: string): string {
  return line.replace(/\r?\n$/, '');
}

/** A line of a multi-line string may start further left than the function. */
function dedented(line: string, indentation: string): string {
  return line.startsWith(indentation) ? line.slice(indentation.length) : line;
}

function indented(line: string, indentation: string): string {
  return line.trim() === '' ? line : indentation + line;
}

function commonEnding(lines: readonly string[]): string {
  const windows = lines.filter(line => line.endsWith('\r\n')).length;
  return windows * 2 > lines.length ? '\r\n' : '\n';
}
