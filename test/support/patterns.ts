import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { packageFile } from '../../lib/files/package.ts';

/** A regular expression of the sources. */
export interface Pattern {
  readonly path: string;
  readonly source: string;
  readonly flags: string;
}

/** Those that never see a long text of others: the memory map of hefix itself, names of files. */
const excepted: ReadonlySet<string> = new Set([String.raw`/\/\S+\.so\S*$/gm`, '/^models--(.+?)--(.+)$/']);

/** Those that run over files of a clone, answers of a model and output of tests; not those of `dataset/build`. */
export function outsidePatterns(): readonly Pattern[] {
  return ['bin', 'lib', 'machines', 'dataset'].flatMap(folder =>
    readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /^(?!build\/).*\.tsx?$/.test(name))
      .flatMap(name => patternsIn(join(folder, name)))
      .filter(({ source, flags }) => !excepted.has(`/${source}/${flags}`)),
  );
}

function patternsIn(path: string): Pattern[] {
  const found: Pattern[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex) found.push({ path, source: regex.pattern, flags: regex.flags });
    for (const child of Object.values(node)) visit(child);
  };
  const lang = path.endsWith('x') ? 'tsx' : 'ts';
  visit(parseAst(readFileSync(packageFile(path), 'utf8'), { lang }));
  return found;
}
