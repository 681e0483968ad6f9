import { resolve } from 'node:path';
import { realPath } from '../../files/paths.ts';
import { parseJson, readUntrustedText } from '../../files/untrusted-file.ts';
import { isWithin } from './boundary.ts';
import type { FixLanguage } from './target.ts';

/** Which variables the tests of a project see, besides those that say how text is shown. */

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * `NAME` with the user's value, or `NAME=VALUE`, one per line. A name that is not set is left out.
 */
export function namedVariables(lines: string, env: Variables): Record<string, string> {
  return Object.fromEntries(
    lines.split('\n').flatMap(line => {
      const [, name = '', , value] = /^([^=]+)(=(.*))?$/s.exec(line) ?? [];
      const content = value ?? env[name];
      return content === undefined ? [] : [[name, content] as const];
    }),
  );
}

/** Variables that the project's settings set for its tests. The runners read their own settings themselves. */
export function settingsVariables(root: string, language: FixLanguage): Record<string, string> {
  return language === 'python' ? toxVariables(root) : packageVariables(root);
}

/** `setenv` of tox; a value that refers to others is left out. */
function toxVariables(root: string): Record<string, string> {
  const [, section = ''] =
    /^\[testenv\][^\n]*\n((?:(?!\[)[^\n]*\n?)*)/m.exec(readUntrustedText(root, 'tox.ini')) ?? [];
  const [, lines = ''] = /^set_?env[ \t]*=[ \t]*([^\n]*(?:\n[ \t]+[^\n]*)*)/m.exec(section) ?? [];
  return Object.fromEntries(
    lines.split('\n').flatMap(line => {
      const equals = line.indexOf('=');
      const [name, value] = [line.slice(0, equals).trim(), line.slice(equals + 1).trim()];
      return equals < 0 || !/^\w+$/.test(name) || value.includes('{') ? [] : [[name, value] as const];
    }),
  );
}

/** What npm sets for the scripts of a package. */
function packageVariables(root: string): Record<string, string> {
  const { name, version } = Object(parseJson(readUntrustedText(root, 'package.json')));
  return {
    npm_lifecycle_event: 'test',
    ...(typeof name === 'string' && { npm_package_name: name }),
    ...(typeof version === 'string' && { npm_package_version: version }),
  };
}

/** The entries of a search path, such as PYTHONPATH, that are in the project; relative to its root. */
export function pathsInside(text: string | undefined, root: string, cwd: string): string[] {
  const realRoot = realPath(root);
  return (text ?? '')
    .split(':')
    .filter(Boolean)
    .map(entry => realPath(resolve(cwd, entry)))
    .filter(entry => isWithin(entry, realRoot))
    .map(entry => entry.slice(realRoot.length + 1));
}
