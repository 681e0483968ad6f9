import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { packageFile } from '../../lib/files/package.ts';
import { linkDependencies, unpackPackage } from './packed-package.ts';
import { blocks, pages } from './pages.ts';

/** Files of the functions that lib/index.ts exports. */
const exported = [
  ...readdirSync(packageFile('lib/run/library')).map(file => `lib/run/library/${file}`),
  ...['dataset/load.ts', 'lib/files/package.ts', 'lib/model/scripted.ts', 'lib/report/summary.ts'],
];

/** Samples in the pages and in the doc comments of lib/index.ts's exports, which the API reference repeats. */
export const samples: readonly { readonly name: string; readonly code: string }[] = [
  ...pages
    .filter(({ path }) => path !== 'docs/api.md')
    .flatMap(({ path, text }) =>
      blocks(text, 'ts').map((code, index) => ({ name: `${basename(path, '.md')}-${index + 1}`, code })),
    ),
  ...exported.flatMap(file => {
    const source = readFileSync(packageFile(file), 'utf8').replaceAll(/^ \* ?/gm, '');
    return blocks(source, 'ts').map((code, index) => ({
      name: `${basename(file, '.ts')}-export-${index + 1}`,
      code,
    }));
  }),
];

/**
 * Compiles the samples in an empty project that hefix is installed in, as `npm pack` would publish it, and checks the
 * package's types too. @returns the compiler's output; empty if there are no errors.
 */
export async function compileSamples(folder: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  await unpackPackage(join(modules, 'hefix'));
  await linkDependencies(modules);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const { name, code } of samples) await writeFile(join(folder, `${name}.ts`), code);
  const compilerOptions = { target: 'es2023', module: 'nodenext', strict: true, skipLibCheck: false };
  const config = { compilerOptions, files: samples.map(({ name }) => `${name}.ts`) };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = packageFile('node_modules/typescript/bin/tsc');
  return (await execa(process.execPath, [tsc, '-p', folder], { reject: false })).stdout;
}
