import { readFile } from 'node:fs/promises';
import { packageFile } from '../../files/package.ts';

/** The HTML around the page's content, served or as a file. */
export interface Shell {
  readonly title: string;
  /** Markup: the policy, if there is no header for it, and the style. */
  readonly head: string;
  /** Markup: the data, if included, and the script. */
  readonly body: string;
}

export function shellHtml({ title, head, body }: Shell): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
${head}
</head>
<body>
<div id="page"><noscript>This page needs JavaScript.</noscript></div>
${body}
</body>
</html>
`;
}

/** The page's script, compiled from `page`. */
export async function pageScript(): Promise<string> {
  return await readFile(packageFile('dist/lib/report/viewer/page.js'), 'utf8');
}

/** Its style; of two conflicting rules, the later one applies. */
export async function pageStyle(): Promise<string> {
  const read = (name: string) => readFile(packageFile(`lib/report/viewer/page/styles/${name}.css`), 'utf8');
  return (await Promise.all(styles.map(read))).join('\n');
}

const styles = 'base top tables overview tasks task machine attempts diff code prompt run help'.split(' ');

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0072b2"/><path d="M4 8.5l2.6 2.6L12 5.4" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;
