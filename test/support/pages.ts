import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../../lib/files/package.ts';

export interface Page {
  /** Relative to the package's root. */
  readonly path: string;
  readonly text: string;
}

const documentation = readdirSync(packageFile('docs'), { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.md'))
  .map(name => `docs/${name}`)
  .sort();

/** The README and all pages in docs/, which the package contains, and those for contributors. */
export const pages: readonly Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  'examples/README.md',
  ...documentation,
].map(path => ({ path, text: readFileSync(packageFile(path), 'utf8') }));

export function pageOf(path: string): string {
  const page = pages.find(one => one.path === path);
  if (page === undefined) throw new Error(`there is no page ${path}`);
  return page.text;
}

/** From a heading to the next one of its level or above. */
export function sectionOf(path: string, heading: string): string {
  const text = pageOf(path);
  const start = text.indexOf(`${heading}\n`);
  if (start === -1) throw new Error(`${path} has no heading ${heading}`);
  const [, level = ''] = /^(#+) /.exec(heading) ?? [];
  const rest = text.slice(start + heading.length);
  const end = rest.search(new RegExp(`^#{1,${level.length}} `, 'm'));
  return end === -1 ? rest : rest.slice(0, end);
}

/** The fenced blocks of a language. */
export function blocks(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...text.matchAll(fence)].map(([, code = '']) => code);
}

export function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

/** The texts in backticks. */
export function inlineCode(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** A link to a file of this repository, or to a heading of one. */
export interface Link {
  readonly path: string;
  readonly anchor: string | undefined;
}

export function linksOf({ path, text }: Page): Link[] {
  return [...withoutBlocks(text).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(
    ([, target, anchor]) => ({
      path: target ? new URL(target, `file:///${path}`).pathname.slice(1) : path,
      anchor,
    }),
  );
}

/** The anchors that GitHub gives to headings, and those that a page sets itself. */
export function anchorsOf(text: string): string[] {
  const page = withoutBlocks(text);
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...[...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}
