import { createRequire } from 'node:module';
import { HefixError } from '../../core/errors.ts';

export interface ChartPackages {
  readonly vega: typeof import('vega');
  readonly compile: typeof import('vega-lite').compile;
  readonly Resvg: typeof import('@resvg/resvg-js').Resvg;
  /** Paths of the fonts for pictures. */
  readonly fontFiles: string[];
}

/**
 * The packages for drawing. Runs do not need their 40 MB, so they are optional, and loaded with the first
 * picture.
 * @throws HefixError (`RENDERER_MISSING`)
 */
export async function loadChartPackages(): Promise<ChartPackages> {
  try {
    const [vega, { compile }, { Resvg }] = await Promise.all([
      import('vega'),
      import('vega-lite'),
      import('@resvg/resvg-js'),
    ]);
    return { vega, compile, Resvg, fontFiles: fontFiles() };
  } catch (cause) {
    throw rendererMissing(cause);
  }
}

function fontFiles(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'].map(file =>
    resolve(`@expo-google-fonts/inter/${file}`),
  );
}

export function rendererMissing(cause: unknown): HefixError {
  return new HefixError(
    'RENDERER_MISSING',
    'Pictures need packages that are not installed.',
    'Run npm install vega@6 vega-lite@6 @resvg/resvg-js@2 @expo-google-fonts/inter in the folder where hefix is installed.',
    cause,
  );
}
