import { smallestOf } from '../core/numbers.ts';

/**
 * The code blocks of a Markdown answer, in order, dedented. More lenient than CommonMark: a fence may follow
 * words on its line, may be left unclosed, and a fence with a language closes a block that is still open. A fence after
 * code on its line, or indented further than CommonMark allows, belongs to the code, as in a docstring, if the block is closed properly further on.
 */
export function codeBlocks(answer: string): string[] {
  const blocks: string[][] = [];
  let open: OpenBlock | null = null;
  const lines = answer.split('\n');
  for (const [index, line] of lines.entries()) {
    const closing: string | null = open && beforeClosing(line, open.fence);
    const isOdd = open && closing !== null && (closing.trim() !== '' || closing.length > open.indent + 3);
    if (open && isOdd && isClosedLater(lines.slice(index + 1), open)) {
      open.code.push(line);
      continue;
    }
    const opening: OpeningFence | null = open && closing !== null ? null : openingFence(line);
    if (open && closing !== null) {
      if (closing.trim() !== '') open.code.push(closing);
      open = null;
    } else if (opening && (!open || opening.info !== '')) {
      open = {
        fence: opening.fence,
        indent: line.search(/\S/),
        code: opening.inline ? [opening.inline] : [],
      };
      blocks.push(open.code);
      if (opening.inline) open = null;
    } else open?.code.push(line);
  }
  return blocks.map(code => dedent(code.join('\n'))).filter(code => code.trim() !== '');
}

/** The answer without a reasoning model's thoughts, even if one of the two markers is missing. */
export function withoutThinking(answer: string): string {
  const closed = answer.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/g, '');
  const afterClose = closed.split(/<\/think(?:ing)?>/).at(-1) ?? '';
  return afterClose.split(/<think(?:ing)?>/)[0] ?? '';
}

/** Removes the indentation that all lines share. */
export function dedent(code: string): string {
  const lines = code.split('\n');
  const margin = smallestOf(lines.filter(line => line.trim() !== '').map(line => line.search(/\S/)));
  return Number.isFinite(margin) ? lines.map(line => line.slice(margin)).join('\n') : code;
}

interface OpenBlock {
  readonly fence: string;
  /** In characters. */
  readonly indent: number;
  readonly code: string[];
}

interface OpeningFence {
  readonly fence: string;
  readonly info: string;
  /** The code of a block on a single line. */
  readonly inline: string | null;
}

function openingFence(line: string): OpeningFence | null {
  const [, fence = '', rest = ''] = /((?<!`)`{3,}(?!`)|(?<!~)~{3,}(?!~))(.*)$/.exec(line) ?? [];
  if (fence === '') return null;
  const [, inline] = /^(?:\w+\s)?(.+?)(?:(?<!`)`{3,}(?!`)|(?<!~)~{3,}(?!~))\s*$/.exec(rest) ?? [];
  const info = /^\s*([\w+#.-]*)/.exec(rest)?.[1] ?? '';
  if (inline) return { fence, info, inline };
  const startsLine = line.trimStart().startsWith(fence);
  return startsLine || /^\s*(?:[\w+#.-]+\s*)?$/.test(rest) ? { fence, info, inline: null } : null;
}

/**
 * Whether a fence alone on a line closes the block before another one opens. An even number of such fences are blocks of
 * their own.
 */
function isClosedLater(lines: readonly string[], { fence, indent }: OpenBlock): boolean {
  const end = lines.findIndex(line =>
    /^(`{3,}|~{3,})\s*\w/.test(line.slice(Math.min(indent + 3, line.search(/\S|$/)))),
  );
  const rest = end === -1 ? lines : lines.slice(0, end);
  const alone = new RegExp(`^\\s{0,${indent + 3}}\\${fence[0]}{${fence.length},}\\s*$`);
  return rest.filter(line => alone.test(line)).length % 2 === 1;
}

/** The text before the closing fence on this line, or null if there is none. */
function beforeClosing(line: string, fence: string): string | null {
  const trimmed = line.trimEnd();
  const run = trimmed.length - trimmed.replace(new RegExp(`\\${fence[0]}+$`), '').length;
  return run >= fence.length ? trimmed.slice(0, -run) : null;
}

/** Code as models see it: blank lines at both ends are removed, the first line's indentation is kept. */
export function shownCode(code: string): string {
  return code.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}
