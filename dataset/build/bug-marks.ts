/**
 * A task's source is its canonical program, with the bug in comments of their own (`#` in Python, `//` in
 * JavaScript), each below the line that it is about:
 *
 *     # bug: CODE           the buggy program has this in place of the line above
 *     # bug drops 2 lines   it lacks the two lines above
 *     # bug adds: CODE      it has this line more
 */
export function applyBugMarks(
  lines: readonly string[],
  comment: string,
): { canonical: string[]; buggy: string[] } {
  const mark = new RegExp(`^([ \\t]*)${comment} bug(?:(: )|( adds: )| drops (\\d+) lines?$)(.*)$`);
  const canonical: string[] = [];
  const buggy: string[] = [];
  for (const line of lines) {
    const match = mark.exec(line);
    if (!match) {
      canonical.push(line);
      buggy.push(line);
      continue;
    }
    const [, indentation = '', instead, adds, drops, code = ''] = match;
    if (instead) buggy.splice(-1, 1, indentation + code);
    else if (adds) buggy.push(indentation + code);
    else buggy.splice(-Number(drops));
  }
  return { canonical, buggy };
}

/** The first line of every source: `# value misuse, infinite loop`. */
export function parseKind(line: string, comment: string): { bugType: string; symptoms: string } {
  const match = new RegExp(`^${comment} ([a-z ]+), ([a-z ]+)$`).exec(line);
  if (!match) throw new Error(`expected «${comment} bug type, failure symptoms», found «${line}»`);
  return { bugType: match[1] ?? '', symptoms: match[2] ?? '' };
}

/** Calls and their results, from lines with `>>> call` and, below, the value. */
export function parseExamples(docstring: string): { call: string; value: string }[] {
  const lines = docstring.split('\n').map(line => line.trim());
  return lines.flatMap((line, index) =>
    line.startsWith('>>> ') ? [{ call: line.slice(4), value: lines[index + 1] ?? '' }] : [],
  );
}

/** Lines as text, each with its line end. */
export function textOf(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}

/** Without empty lines at the end. */
export function trimmed(lines: readonly string[]): string[] {
  return lines.join('\n').trimEnd().split('\n');
}
