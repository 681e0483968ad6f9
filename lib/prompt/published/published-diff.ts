import { patchApply, patchFromText } from 'diff-match-patch-es';

/** Edits in the harness's formats `diff` and `diff-carper`. */

/**
 * Applies a patch in the text form of diff-match-patch, which finds the place of each hunk even if its position and
 * some of its context are wrong; hunks without a match are skipped. Null if the text is not a patch.
 */
export function applyMatchPatch(code: string, patch: string): string | null {
  try {
    const patches = patchFromText(patch.split('\n').map(normalised).join('\n'));
    // Without a deadline, the result does not depend on the machine's speed.
    const [applied] = patchApply(patches, code, { diffTimeout: 0 });
    return typeof applied === 'string' ? applied : null;
  } catch {
    return null;
  }
}

/**
 * Python's library decodes every percent code and takes any other percent sign as it is; JavaScript's refuses the
 * latter, and leaves some codes.
 */
function normalised(line: string): string {
  if (!/^[-+ ]/.test(line)) return line;
  const decoded = line.slice(1).replace(/(?:%[\da-f]{2})+/gi, codes => {
    return Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8');
  });
  return line.charAt(0) + encodeURI(decoded);
}

/**
 * Applies the hunks of a unified diff by content instead of line numbers, as the harness does for CarperAI's
 * models: each at the first match of whole lines after the previous hunk. The diff ends before the first line that is
 * not part of one, and before the next file. Null if there is none.
 */
export function applyLooseDiff(code: string, diff: string): string | null {
  const ended = diff.split(/\n[^ +-@]+/)[0]?.split('<NME>')[0] ?? '';
  if (ended === '') return null;
  return hunksOf(ended).reduce(
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

/**
 * The lines of each hunk, without its header. Where text precedes the first header, the harness takes the headers for
 * the hunks, and so do we.
 */
function hunksOf(diff: string): string[][] {
  const parts = diff.split(/^(@@ .*? @@).*\n/m);
  const first = parts[0] === '' ? 2 : 1;
  const hunks = parts.filter((_, index) => index >= first && (index - first) % 2 === 0);
  return hunks.map(hunk => hunk.split('\n').filter(line => line !== ''));
}

function linesOf(lines: readonly string[], signs: string): string[] {
  return lines.filter(line => signs.includes(line.charAt(0))).map(line => line.slice(1));
}
