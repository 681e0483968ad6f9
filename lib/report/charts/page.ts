import type { ThemeName } from '../../core/choices.ts';
import type { Chart } from './chart.ts';
import { type Draw, loadDraw } from './draw.ts';
import { card, type Table, tableSvg, text, textLines } from './text-and-tables.ts';
import { type Theme, themes } from './theme.ts';
import { escaped, loadTypeSetting, type TypeSetting, wellFormed } from './type-setting.ts';

/** A key figure at the top of a page. */
export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

/** The contents of a page, from top to bottom. */
export interface Page {
  readonly heading: string;
  readonly details: string;
  readonly tiles: readonly Tile[];
  /** The charts of a row have the same height. */
  readonly charts: readonly Chart[];
  /** Number of charts in a row. */
  readonly columns: 1 | 2;
  /** Shown below the charts. */
  readonly table?: Table;
  /** Warnings about the figures; whole sentences. */
  readonly warnings: readonly string[];
}

/** Page widths in pixels, and their columns. */
interface Layout {
  readonly width: number;
  readonly margin: number;
  readonly padding: number;
  readonly columns: number;
  readonly tilesInRow: number;
}

/**
 * Draws a page as one SVG with text as outlines, so that it looks the same everywhere. Vega's own concatenation of
 * charts wraps no text and has no tables.
 */
export async function drawPage(page: Page, theme: ThemeName): Promise<string> {
  const setting = await loadTypeSetting();
  const wide = { ...WIDE_LAYOUT, columns: page.columns, tilesInRow: page.tiles.length };
  return described(page, setting.outlined(wellFormed(await pageSvg(page, themes[theme], setting, wide))));
}

/**
 * Draws a page for browsers, with text kept as text instead of outlines. Each line is as wide as in the measured
 * font, whichever font the browser uses. @param size `narrow`: for a phone, one chart per
 * row
 */
export async function drawWebPage(page: Page, theme: ThemeName, size: PageSize): Promise<string> {
  const setting = await loadTypeSetting();
  const wide = { ...WIDE_LAYOUT, columns: page.columns, tilesInRow: page.tiles.length };
  const layout = size === 'wide' ? wide : NARROW_LAYOUT;
  return described(page, setting.justified(wellFormed(await pageSvg(page, themes[theme], setting, layout))));
}

function described(page: Page, svg: string): string {
  const parts = [page.details, ...page.tiles.map(({ name, value, note }) => `${name} ${value}, ${note}`)];
  // Screen readers cannot read outlines.
  const description = `<title>${escaped(page.heading)}</title><desc>${escaped(parts.join('; '))}</desc>`;
  return svg.replace(/^<svg [^>]*>/, opening => `${opening.slice(0, -1)} role="img">\n${description}`);
}

/** A page as PNG, at two pixels per SVG pixel for high-density screens. */
export async function paintPage(svg: string): Promise<Uint8Array> {
  return (await loadTypeSetting()).png(svg, 2);
}

const GAP = 20;
const WIDE_LAYOUT = { width: 1200, margin: 40, padding: 22 };
const NARROW_LAYOUT: Layout = { width: 400, margin: 4, padding: 14, columns: 1, tilesInRow: 2 };
export type PageSize = 'wide' | 'narrow';

/** Width in pixels of a chart that has a row to itself. */
export function chartWidth(size: PageSize): number {
  const { width, margin, padding } = size === 'wide' ? WIDE_LAYOUT : NARROW_LAYOUT;
  return width - 2 * margin - 2 * padding;
}

interface Tools {
  readonly layout: Layout;
  /** Pixels between the margins. */
  readonly inner: number;
  readonly theme: Theme;
  readonly setting: TypeSetting;
  readonly draw: Draw;
}

/** A drawn element and its bottom edge. */
interface Block {
  readonly svg: string;
  readonly end: number;
}

async function pageSvg(page: Page, theme: Theme, setting: TypeSetting, layout: Layout): Promise<string> {
  const inner = layout.width - 2 * layout.margin;
  const tools = { theme, setting, layout, inner, draw: await loadDraw(theme, setting) };
  const heading = headingBlock(page, tools);
  const tiles = tilesBlock(page.tiles, heading.end, tools);
  const charts = await chartsBlock(page, tiles.end, tools);
  const table = tableBlock(page.table, charts.end, tools);
  const warnings = warningsBlock(page.warnings, table.end, tools);
  const { width, margin } = layout;
  const height = Math.ceil(warnings.end + margin - GAP);
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>`,
    `<rect width="${width}" height="${height}" fill="${theme.background}"/>`,
    ...[heading, tiles, charts, table, warnings].map(({ svg }) => svg),
    '</svg>',
  ].join('\n');
}

function headingBlock(
  { heading, details }: Page,
  { theme, setting, layout: { margin }, inner }: Tools,
): Block {
  const size = inner < 600 ? 20 : 28;
  const name = setting.wrapped(heading, inner, size, 600);
  const lines = setting.wrapped(details, inner, 15);
  const below = margin + 56 + (name.length - 1) * size * 1.2;
  return {
    svg: [
      ...textLines(name, margin, margin + 26, size, size * 1.2, theme.text, 600),
      ...textLines(lines, margin, below, 15, 22, theme.muted),
    ].join('\n'),
    end: below + lines.length * 22,
  };
}

function tilesBlock(tiles: readonly Tile[], top: number, { theme, setting, layout, inner }: Tools): Block {
  if (tiles.length === 0) return { svg: '', end: top };
  const { margin, padding, tilesInRow } = layout;
  const gap = inner < 600 ? 8 : GAP;
  const width = (inner - (tilesInRow - 1) * gap) / tilesInRow;
  const room = width - 2 * padding;
  const wrapped = tiles.map(({ name, value, note }) => ({
    name: setting.wrapped(name, room, 13),
    value: setting.fitted(value, room, 30, 600),
    note: setting.wrapped(note, room, 12),
  }));
  const nameLines = Math.max(...wrapped.map(({ name }) => name.length));
  const noteLines = Math.max(...wrapped.map(({ note }) => note.length));
  const height = 80 + 16 * (nameLines + noteLines);
  const svg = wrapped.flatMap(({ name, value, note }, index) => {
    const left = margin + (index % tilesInRow) * (width + gap) + padding;
    const above = top + Math.floor(index / tilesInRow) * (height + gap);
    const base = above + 52 + 16 * nameLines;
    return [
      card(left - padding, above, width, height, theme),
      ...textLines(name, left, above + 31, 13, 16, theme.muted),
      text(value, left, base, 30, theme.text, 600),
      ...textLines(note, left, base + 24, 12, 16, theme.muted),
    ];
  });
  const rows = Math.ceil(tiles.length / tilesInRow);
  return { svg: svg.join('\n'), end: top + rows * (height + gap) - gap + GAP };
}

async function chartsBlock({ charts }: Page, top: number, tools: Tools): Promise<Block> {
  const { layout, inner } = tools;
  const { columns, margin, padding } = layout;
  const cards: string[] = [];
  let end = top;
  for (const row of rowsOf(charts, columns)) {
    const width = row[0]?.isWide ? inner : (inner - (columns - 1) * GAP) / columns;
    const height = Math.max(...row.map(chart => chart.height));
    const drawn = await Promise.all(row.map(({ chart }) => tools.draw(chart, width - 2 * padding, height)));
    const room = width - 2 * padding;
    const titleRows = row.map(chart => titlesOf(chart, room, tools));
    const above = Math.max(...titleRows.map(titles => titles.height));
    const cardHeight = Math.max(...drawn.map(chart => chart.height)) + above + 2 * padding;
    for (const [column, titles] of titleRows.entries()) {
      const left = margin + column * (width + GAP);
      // The library lets the last label of some axes overflow; the card has room for it.
      const place = `overflow="visible" x="${left + padding}" y="${end + padding + above}"`;
      cards.push(
        card(left, end, width, cardHeight, tools.theme),
        titles.svg(left + padding, end + padding),
        (drawn[column]?.svg ?? '').replace(/^<svg /, `<svg ${place} `),
      );
    }
    end += cardHeight + GAP;
  }
  return { svg: cards.join('\n'), end };
}

/** As many charts in a row as there are columns; a wide one has a row of its own. */
function rowsOf(charts: readonly Chart[], columns: number): Chart[][] {
  const rows: Chart[][] = [];
  for (const chart of charts) {
    const last = rows.at(-1);
    if (last && last.length < columns && !last[0]?.isWide && !chart.isWide) last.push(chart);
    else rows.push([chart]);
  }
  return rows;
}

/** Title and note of a chart; both may take several lines. */
function titlesOf({ title, note }: Chart, room: number, { theme, setting }: Tools) {
  const titles = setting.wrapped(title, room, 16, 600);
  const notes = setting.wrapped(note, room, 12.5);
  const above = 35 + 20 * (titles.length - 1);
  return {
    height: above + 17 * notes.length,
    svg: (left: number, top: number) =>
      [
        ...textLines(titles, left, top + 14, 16, 20, theme.text, 600),
        ...textLines(notes, left, top + above, 12.5, 17, theme.muted),
      ].join('\n'),
  };
}

function tableBlock(table: Table | undefined, top: number, { theme, setting, layout, inner }: Tools): Block {
  if (table === undefined || table.rows.length === 0) return { svg: '', end: top };
  const { margin, padding } = layout;
  const drawn = tableSvg(
    inner < 600 ? narrowTable(table) : table,
    { left: margin + padding, top: top + padding, width: inner - 2 * padding },
    theme,
    setting,
  );
  const height = drawn.height + 2 * padding;
  return { svg: `${card(margin, top, inner, height, theme)}\n${drawn.svg}`, end: top + height + GAP };
}

/** As many columns as fit on a phone; the text below the charts contains all of them. */
function narrowTable({ header, rows, ...titles }: Table): Table {
  return { ...titles, header: header.slice(0, 4), rows: rows.map(row => row.slice(0, 4)) };
}

function warningsBlock(
  warnings: readonly string[],
  top: number,
  { theme, setting, layout, inner }: Tools,
): Block {
  const lines = warnings.flatMap(warning => setting.wrapped(`Note: ${warning}`, inner, 13));
  return {
    svg: textLines(lines, layout.margin, top + 14, 13, 20, theme.muted).join('\n'),
    end: lines.length === 0 ? top : top + lines.length * 20 + GAP,
  };
}
