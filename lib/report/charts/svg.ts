import type { Theme } from './theme.ts';
import { escaped, FONT, type Weight } from './type-setting.ts';

/** The SVG building blocks of pages. Units are pixels. */

export function card(
  left: number,
  top: number,
  width: number,
  height: number,
  { card, border }: Theme,
): string {
  return `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="10" fill="${card}" stroke="${border}"/>`;
}

/** One line of text; `x` is its start, or its end if `anchor` says so. */
export function text(
  words: string,
  x: number,
  base: number,
  size: number,
  color: string,
  weight: Weight = 400,
  anchor: 'start' | 'end' = 'start',
): string {
  const font = `font-family="${FONT}" font-size="${size}" font-weight="${weight}"`;
  return `<text x="${x}" y="${base}" ${font} text-anchor="${anchor}" fill="${color}">${escaped(words)}</text>`;
}

/** Several lines of text; `base` is that of the first, `leading` the distance between two. */
export function textLines(
  lines: readonly string[],
  x: number,
  base: number,
  size: number,
  leading: number,
  color: string,
  weight: Weight = 400,
): string[] {
  return lines.map((line, index) => text(line, x, base + index * leading, size, color, weight));
}

export function line(left: number, right: number, y: number, color: string): string {
  return `<line x1="${left}" x2="${right}" y1="${y}" y2="${y}" stroke="${color}"/>`;
}
