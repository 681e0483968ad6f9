/** Edits in the harness's formats `diff` and `diff-carper`. */

/**
 * Applies a patch in the text form of diff-match-patch: hunks of `@@ -line,length +line,length @@` and lines
 * that keep (space), remove (-) or add (+) the percent-encoded text after their first character. Each hunk
 * applies at the first matching position after the previous hunk; hunks without a match are skipped.
 */
export function applyMatchPatch(code: string, patch: string): string {
  return hunksOf(patch).reduce(
    (state, lines) => {
      const before = decoded(lines, ' -').join('');
      const after = decoded(lines, ' +').join('');
      const at = state.code.indexOf(before, state.from);
      if (at === -1) return state;
      const changed = state.code.slice(0, at) + after + state.code.slice(at + before.length);
      return { code: changed, from: at + after.length };
    },
    { code, from: 0 },
  ).code;
}

/**
 * Applies the hunks of a unified diff by content instead of line numbers, as the harness does for CarperAI's
 * models: each at the first match of whole lines after the previous hunk.
 */
export function applyLooseDiff(code: string, diff: string): string {
  return hunksOf(diff).reduce(
    (state, lines) => {
      const before = linesOf(lines, ' -').join('\n');
      const after = linesOf(lines, ' +').join('\n');
      if (before === '') {
        return state.from === 0 ? { code: `${after}\n${state.code}`, from: 1 } : state;
      }
      const at = state.code.indexOf(before, state.from);
      const end = at + before.length;
      if (at === -1 || (end < state.code.length && state.code[end] !== '\n')) return state;
      return {
        code: state.code.slice(0, at) + after + state.code.slice(end),
        from: at + after.length,
      };
    },
    { code, from: 0 },
  ).code;
}

/** The lines of each hunk, without its header. */
function hunksOf(patch: string): string[][] {
  const [, ...hunks] = patch.split(/^@@ .*? @@.*$\n?/m);
  return hunks.map(hunk => hunk.split('\n').filter(line => line !== ''));
}

function linesOf(lines: readonly string[], signs: string): string[] {
  return lines.filter(line => signs.includes(line.charAt(0))).map(line => line.slice(1));
}

function decoded(lines: readonly string[], signs: string): string[] {
  return linesOf(lines, signs).map(line => {
    try {
      return decodeURIComponent(line);
    } catch {
      return line;
    }
  });
}
