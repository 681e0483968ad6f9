import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../../files/package.ts';

export type Weight = 400 | 600;

/** Sets text in the font that ships with hefix, so that pictures look the same on systems without fonts. */
export interface TypeSetting {
  /** In pixels. */
  width(text: string, size: number, weight?: Weight): number;
  /** The text, shortened in the middle if it does not fit. */
  fitted(text: string, room: number, size: number, weight?: Weight): string;
  /** Breaks text into lines of at most this many pixels. */
  wrapped(text: string, room: number, size: number, weight?: Weight): string[];
  /** The picture with text as outlines, which needs no font. */
  outlined(svg: string): string;
  /** The picture with each line of text as wide as in the bundled font, even if the browser uses another font. */
  justified(svg: string): string;
  /** `scale`: output pixels per SVG pixel. */
  png(svg: string, scale: number): Uint8Array;
}

/** The font's name in SVG. */
export const FONT = 'Inter';

/** Loads the packages that draw, which are large, with the first picture. */
export async function loadTypeSetting(): Promise<TypeSetting> {
  const { Resvg, startResvg } = await loadDrawingPackages();
  await startResvg(await readFile(join(chartsFolder(), 'resvg.wasm')));
  const fonts = await readFonts();
  /** WebAssembly keeps the memory of a picture until it is freed. */
  const withPicture: WithPicture = (svg, use, { weights = WEIGHTS, scale = 1 } = {}) => {
    const fontBuffers = weights.map(weight => fonts[weight]);
    const font = { loadSystemFonts: false, fontBuffers, defaultFontFamily: FONT };
    const picture = new Resvg(svg, { font, fitTo: { mode: 'zoom', value: scale } });
    try {
      return use(picture);
    } finally {
      picture.free();
    }
  };
  const width = measure(withPicture);
  return {
    width,
    fitted: (text, room, size, weight) => fitted(text, room, part => width(part, size, weight)),
    wrapped: (text, room, size, weight) => wrapped(text, room, part => width(part, size, weight)),
    outlined: svg => withPicture(svg, picture => compact(picture.toString())),
    justified: svg => justified(svg, width),
    png: (svg, scale) => withPicture(svg, picture => picture.render().asPng(), { scale }),
  };
}

const WEIGHTS: readonly Weight[] = [400, 600];

type WithPicture = <Result>(
  svg: string,
  use: (picture: Resvg) => Result,
  options?: { readonly weights?: readonly Weight[]; readonly scale?: number },
) => Result;

type Resvg = InstanceType<DrawingPackages['Resvg']>;

/** Widths are proportional to the size, so each text is measured once at a large size. */
function measure(withPicture: WithPicture): TypeSetting['width'] {
  const widths = new Map<string, number>();
  return (text, size, weight = 400) => {
    const key = `${weight} ${text}`;
    const width = widths.get(key) ?? (text.trim() === '' ? 0 : measured(withPicture, text, weight));
    widths.set(key, width);
    return (width * size) / MEASURED_SIZE;
  };
}

const MEASURED_SIZE = 100;

function measured(withPicture: WithPicture, text: string, weight: Weight): number {
  const style = `font-family="${FONT}" font-size="${MEASURED_SIZE}" font-weight="${weight}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text ${style}>${escaped(text)}</text></svg>`;
  // One font takes half the time of two.
  const box = withPicture(svg, picture => picture.getBBox(), { weights: [weight] });
  return box === undefined ? 0 : box.x + box.width;
}

/**
 * Browsers without the font stretch their own font to the given length. Screen readers see nothing inside an
 * image, so accessibility attributes are removed.
 */
function justified(svg: string, width: TypeSetting['width']): string {
  // Several lines of one text are `tspan` elements in it, which have its font.
  let font = '';
  const sized = svg.replaceAll(
    /<(text|tspan)\b([^>]*)>([^<]+)|<text\b([^>]*)>(?=<tspan)/g,
    (text, name: string | undefined, attributes = '', content = '', outer = '') => {
      if (name !== 'tspan') font = name === undefined ? outer : attributes;
      const [, size = '11'] = /font-size="([\d.]+)/.exec(font) ?? [];
      const isBold = /font-weight="(600|700|bold)"/.test(font);
      const length = width(unescaped(content), Number(size), isBold ? 600 : 400);
      if (length === 0) return text;
      return `<${name}${attributes} textLength="${length.toFixed(1)}" lengthAdjust="spacingAndGlyphs">${content}`;
    },
  );
  return compact(sized.replaceAll(/ (?:aria-[a-z]+|role|class|font-family)="[^"]*"/g, '')).replace(
    /^<svg /,
    `<svg font-family="${FONT}, system-ui, sans-serif" `,
  );
}

function unescaped(content: string): string {
  const letters = Object.fromEntries(Object.entries(entities).map(([letter, entity]) => [entity, letter]));
  return content.replaceAll(/&\w+;/g, entity => letters[entity] ?? entity);
}

/** Hundredths of a pixel are enough; the renderer writes ten times as many digits as needed. */
function compact(svg: string): string {
  return svg
    .replaceAll(/\n\s+/g, '\n')
    .replaceAll(/-?(?<!\d)\d+\.\d{3,}/g, digits => String(Math.round(Number(digits) * 100) / 100))
    .replaceAll(/ d="[^"]*"/g, path => path.replaceAll(/ ?([A-Z]) ?/g, '$1'));
}

function fitted(text: string, room: number, widthOf: (part: string) => number): string {
  if (widthOf(text) <= room) return text;
  const letters = [...text];
  for (let shown = letters.length - 1; shown > 1; shown--) {
    const head = letters.slice(0, Math.ceil(shown / 2)).join('');
    const shortened = `${head}…${letters.slice(letters.length - Math.floor(shown / 2)).join('')}`;
    if (widthOf(shortened) <= room) return shortened;
  }
  return '…';
}

function wrapped(text: string, room: number, widthOf: (part: string) => number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map(line => fitted(line, room, widthOf));
}

/** Escapes text for XML and replaces the control characters that XML does not allow. */
export function escaped(text: string): string {
  return wellFormed(text).replaceAll(/[&<>"]/g, letter => entities[letter] ?? letter);
}

/** Replaces the characters that XML does not allow, which charts take over from their data. */
export function wellFormed(xml: string): string {
  return xml.replaceAll(/[^\P{Cc}\n\t]|\p{Cs}/gu, '\ufffd');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

type DrawingPackages = typeof import('./drawing-packages.ts');

/** The packages for drawing, as one file of the build. Runs do not need them, so they are loaded with the first picture. */
export async function loadDrawingPackages(): Promise<DrawingPackages> {
  return await import(pathToFileURL(join(chartsFolder(), 'drawing-packages.js')).href);
}

async function readFonts(): Promise<Record<Weight, Uint8Array>> {
  const read = async (name: string) => await readFile(join(chartsFolder(), name));
  return { 400: await read('Inter_400Regular.ttf'), 600: await read('Inter_600SemiBold.ttf') };
}

/** Where the build puts the packages, WebAssembly and fonts. */
function chartsFolder(): string {
  return packageFile('dist/lib/report/charts');
}
