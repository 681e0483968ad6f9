import type { Theme } from './theme.ts';
import { escaped, FONT, type TypeSetting, type Weight } from './type-setting.ts';

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
  content: string,
  x: number,
  base: number,
  size: number,
  color: string,
  weight: Weight = 400,
  anchor: 'start' | 'end' = 'start',
): string {
  const font = `font-family="${FONT}" font-size="${size}" font-weight="${weight}"`;
  return `<text x="${x}" y="${base}" ${font} text-anchor="${anchor}" fill="${color}">${escaped(content)}</text>`;
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

/** A table of figures: the first column has names, the others numbers. */
export interface Table {
  readonly title: string;
  readonly note: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const ROW = 27;

/** Draws a table at a position on a page. */
export function tableSvg(
  { title, note, header, rows }: Table,
  { left, top, width }: { readonly left: number; readonly top: number; readonly width: number },
  { text: ink, muted, grid }: Theme,
  setting: TypeSetting,
): { readonly svg: string; readonly height: number } {
  // The column of names is as wide as two columns of numbers.
  const column = width / (header.length + 1);
  const cells = (row: readonly string[], base: number, size: number, color: string) =>
    row.map((content, cell) => {
      const room = (cell === 0 ? 2 : 1) * column - 12;
      const fitted = setting.fitted(content, room, size);
      return cell === 0
        ? text(fitted, left, base, size, ink)
        : text(fitted, left + (cell + 2) * column, base, size, color, 400, 'end');
    });
  const notes = setting.wrapped(note, width, 12.5);
  const titles = 35 + 17 * notes.length;
  const svg = [
    text(title, left, top + 14, 16, ink, 600),
    ...textLines(notes, left, top + 35, 12.5, 17, muted),
    ...cells(header, top + titles + 16, 12, muted),
    ...rows.flatMap((row, index) => {
      const start = top + titles + (index + 1) * ROW;
      return [line(left, left + width, start, grid), ...cells(row, start + 18, 13, ink)];
    }),
  ];
  return { svg: svg.join('\n'), height: titles + (rows.length + 1) * ROW };
}
