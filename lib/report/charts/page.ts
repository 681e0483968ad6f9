import type { Chart } from './chart.ts';
import { type Draw, loadDraw } from './draw.ts';
import { card, text } from './svg.ts';
import { type Table, tableSvg } from './table.ts';
import { type Theme, type ThemeName, themes } from './theme.ts';
import { escaped, loadTypeSetting, type TypeSetting, wellFormed } from './type-setting.ts';

/** A figure that is to be seen at once. */
export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

/** What a page tells, from top to bottom. */
export interface Page {
  readonly heading: string;
  readonly details: string;
  readonly tiles: readonly Tile[];
  /** Those of a row are drawn equally high. */
  readonly charts: readonly Chart[];
  /** How many charts stand in a row. */
  readonly columns: 1 | 2;
  /** Below the charts. */
  readonly table?: Table;
  /** What people should know before they trust the figures; whole sentences. */
  readonly warnings: readonly string[];
}

/**
 * Draws a page as one SVG whose text is outlines, so that it looks the same everywhere.
 * @throws HefixError (`RENDERER_MISSING`)
 */
export async function drawPage(page: Page, theme: ThemeName): Promise<string> {
  const setting = await loadTypeSetting();
  const svg = setting.outlined(wellFormed(await pageSvg(page, themes[theme], setting)));
  const words = [page.details, ...page.tiles.map(({ name, value, note }) => `${name} ${value}, ${note}`)];
  // What reads pages aloud cannot read outlines.
  const told = `<title>${escaped(page.heading)}</title><desc>${escaped(words.join('; '))}</desc>`;
  return svg.replace(/^<svg [^>]*>/, opening => `${opening.slice(0, -1)} role="img">\n${told}`);
}

/** A page that is drawn as PNG, with two pixels for each of the SVG's, as today's screens have. */
export async function paintPage(svg: string): Promise<Uint8Array> {
  return (await loadTypeSetting()).png(svg, 2);
}

const WIDTH = 1200;
const MARGIN = 40;
const GAP = 20;
const PADDING = 22;
const INNER = WIDTH - 2 * MARGIN;
/** Pixels of a chart that stands alone in its row. */
export const WIDE = INNER - 2 * PADDING;

interface Tools {
  readonly theme: Theme;
  readonly setting: TypeSetting;
  readonly draw: Draw;
}

/** Something drawn, and how far down it reaches. */
interface Block {
  readonly svg: string;
  readonly end: number;
}

async function pageSvg(page: Page, theme: Theme, setting: TypeSetting): Promise<string> {
  const tools = { theme, setting, draw: await loadDraw(theme, setting) };
  const heading = headingBlock(page, tools);
  const tiles = tilesBlock(page.tiles, heading.end, tools);
  const charts = await chartsBlock(page, tiles.end, tools);
  const table = tableBlock(page.table, charts.end, tools);
  const warnings = warningsBlock(page.warnings, table.end, tools);
  const height = Math.ceil(warnings.end + MARGIN - GAP);
  const size = `width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>`,
    `<rect width="${WIDTH}" height="${height}" fill="${theme.background}"/>`,
    ...[heading, tiles, charts, table, warnings].map(({ svg }) => svg),
    '</svg>',
  ].join('\n');
}

function headingBlock({ heading, details }: Page, { theme, setting }: Tools): Block {
  const lines = setting.wrapped(details, INNER, 15);
  return {
    svg: [
      text(setting.fitted(heading, INNER, 28, 600), MARGIN, MARGIN + 26, 28, theme.text, 600),
      ...lines.map((line, index) => text(line, MARGIN, MARGIN + 56 + index * 22, 15, theme.muted)),
    ].join('\n'),
    end: MARGIN + 56 + lines.length * 22,
  };
}

function tilesBlock(tiles: readonly Tile[], top: number, { theme, setting }: Tools): Block {
  if (tiles.length === 0) return { svg: '', end: top };
  const width = (INNER - (tiles.length - 1) * GAP) / tiles.length;
  const height = 112;
  const room = width - 2 * PADDING;
  const svg = tiles.flatMap(({ name, value, note }, index) => {
    const left = MARGIN + index * (width + GAP);
    return [
      card(left, top, width, height, theme),
      text(setting.fitted(name, room, 13), left + PADDING, top + 31, 13, theme.muted),
      text(setting.fitted(value, room, 30, 600), left + PADDING, top + 68, 30, theme.text, 600),
      text(setting.fitted(note, room, 12), left + PADDING, top + 92, 12, theme.muted),
    ];
  });
  return { svg: svg.join('\n'), end: top + height + GAP };
}

async function chartsBlock({ charts, columns }: Page, top: number, tools: Tools): Promise<Block> {
  const width = (INNER - (columns - 1) * GAP) / columns;
  const cards: string[] = [];
  let end = top;
  for (let first = 0; first < charts.length; first += columns) {
    const row = charts.slice(first, first + columns);
    const height = Math.max(...row.map(chart => chart.height));
    const drawn = await Promise.all(row.map(({ chart }) => tools.draw(chart, width - 2 * PADDING, height)));
    const cardHeight = Math.max(...drawn.map(chart => chart.height)) + TITLES + 2 * PADDING;
    for (const [column, chart] of row.entries()) {
      const left = MARGIN + column * (width + GAP);
      // The library lets the last label of some axes hang over; the card has room for it.
      const place = `overflow="visible" x="${left + PADDING}" y="${end + PADDING + TITLES}"`;
      cards.push(
        card(left, end, width, cardHeight, tools.theme),
        titles(chart, left + PADDING, end + PADDING, width - 2 * PADDING, tools),
        (drawn[column]?.svg ?? '').replace(/^<svg /, `<svg ${place} `),
      );
    }
    end += cardHeight + GAP;
  }
  return { svg: cards.join('\n'), end };
}

/** Above each chart. */
const TITLES = 52;

function titles(
  { title, note }: Chart,
  left: number,
  top: number,
  room: number,
  { theme, setting }: Tools,
): string {
  return [
    text(setting.fitted(title, room, 16, 600), left, top + 14, 16, theme.text, 600),
    text(setting.fitted(note, room, 12.5), left, top + 35, 12.5, theme.muted),
  ].join('\n');
}

function tableBlock(table: Table | undefined, top: number, { theme, setting }: Tools): Block {
  if (table === undefined || table.rows.length === 0) return { svg: '', end: top };
  const drawn = tableSvg(table, { left: MARGIN + PADDING, top: top + PADDING, width: WIDE }, theme, setting);
  const height = drawn.height + 2 * PADDING;
  return { svg: `${card(MARGIN, top, INNER, height, theme)}\n${drawn.svg}`, end: top + height + GAP };
}

function warningsBlock(warnings: readonly string[], top: number, { theme, setting }: Tools): Block {
  const lines = warnings.flatMap(warning => setting.wrapped(`Note: ${warning}`, INNER, 13));
  return {
    svg: lines.map((line, index) => text(line, MARGIN, top + 14 + index * 20, 13, theme.muted)).join('\n'),
    end: lines.length === 0 ? top : top + lines.length * 20 + GAP,
  };
}
