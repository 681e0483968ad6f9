import type { TopLevelSpec } from './drawing-packages.ts';
import type { Theme } from './theme.ts';
import { FONT, loadDrawingPackages, type TypeSetting } from './type-setting.ts';

export type Specification = TopLevelSpec;

/** A chart as an SVG element of exactly this size; charts with several plots have their own. */
export type Draw = (
  chart: Specification,
  width: number,
  height: number,
) => Promise<{ readonly svg: string; readonly height: number }>;

/** Loads the charting library, which is large, with the first picture. */
export async function loadDraw(theme: Theme, { width: widthOf }: TypeSetting): Promise<Draw> {
  const { vega, compile } = await loadDrawingPackages();
  measureBy(vega, widthOf);
  return async (chart, width, height) => {
    const size = 'facet' in chart ? {} : { width, height };
    const sized = {
      ...chart,
      ...size,
      // Room for descenders below the baseline.
      padding: { left: 0, right: 2, top: 2, bottom: 5 },
      autosize: {
        type: 'facet' in chart ? ('pad' as const) : ('fit' as const),
        contains: 'padding' as const,
      },
      config: configOf(theme),
    } as Specification;
    const { spec } = compile(sized, { logger: vega.logger(vega.None) });
    const view = new vega.View(vega.parse(spec), { renderer: 'none', logLevel: vega.Error });
    const svg = await view.toSVG();
    view.finalize();
    return { svg, height: Number(/^<svg [^>]*\bheight="([\d.]+)"/.exec(svg)?.[1] ?? height) };
  };
}

/**
 * Without a browser, Vega assumes that all letters are as wide as the widest, which would separate labels
 * from what they name. Its text measurement is global to the library, so it is replaced there.
 */
function measureBy(vega: object, widthOf: TypeSetting['width']): void {
  const { textMetrics } = vega as { textMetrics: { width: (item: TextItem, text?: unknown) => number } };
  textMetrics.width = ({ fontSize, fontWeight, limit, ...item }, text = item.text) => {
    const width = widthOf(String(text ?? ''), fontSize ?? 11, Number(fontWeight) >= 600 ? 600 : 400);
    return limit ? Math.min(width, limit) : width;
  };
}

interface TextItem {
  readonly text?: unknown;
  readonly fontSize?: number;
  readonly fontWeight?: number | string;
  readonly limit?: number;
}

function configOf({ text, muted, grid, first }: Theme) {
  const font = { labelFont: FONT, titleFont: FONT };
  return {
    background: 'transparent',
    font: FONT,
    view: { stroke: null },
    axis: {
      ...font,
      labelColor: muted,
      labelFontSize: 12,
      labelPadding: 6,
      labelLimit: 0,
      labelFlush: false,
      titleColor: muted,
      titleFontSize: 12,
      titleFontWeight: 400 as const,
      titlePadding: 8,
      titleLimit: 0,
      gridColor: grid,
      domain: false,
      ticks: false,
    },
    header: { labelFont: FONT, labelFontSize: 12, labelColor: text, labelLimit: 0, title: null },
    axisY: { labelColor: text },
    legend: {
      ...font,
      labelColor: text,
      labelFontSize: 12,
      labelLimit: 0,
      title: null,
      orient: 'top' as const,
      symbolType: 'square' as const,
      symbolSize: 110,
      symbolOpacity: 1,
      offset: 8,
      columnPadding: 20,
    },
    text: { font: FONT, fontSize: 12, color: text },
    bar: { color: first },
  };
}
