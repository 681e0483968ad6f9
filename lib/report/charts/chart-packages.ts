import { createRequire } from 'node:module';
import { rendererMissing } from '../../core/errors.ts';

/**
 * The packages that draw. They are 40 MB that a run does not need, so they are installed by those who want pictures,
 * and loaded with the first one.
 * @throws HefixError (`RENDERER_MISSING`)
 */
export async function loadChartPackages() {
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
