import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseJson } from '../../files/parse-json.ts';

/** A program that a script of package.json starts. */
export interface ScriptCommand {
  /** Name of the program, without its folder. */
  readonly program: string;
  readonly words: readonly string[];
  /** What is set for it: `TZ=UTC`. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The commands of the scripts in package.json that are about tests, those of `test` first. Words of the shell other than
 * quotes are taken as they stand. @param programs whose commands are wanted; others are passed over, as are wrappers
 * such as npx, c8 and cross-env.
 */
export function testCommands(root: string, programs: ReadonlySet<string>): ScriptCommand[] {
  const manifest = join(root, 'package.json');
  const scripts = existsSync(manifest)
    ? Object(Object(parseJson(readFileSync(manifest, 'utf8'))).scripts)
    : {};
  const names = Object.keys(scripts).filter(name => /test|unit|spec|^ci$/.test(name));
  const ordered = names.toSorted((a, b) => Number(b === 'test') - Number(a === 'test'));
  return ordered.flatMap(name => commandsIn(String(scripts[name]), programs));
}

function commandsIn(script: string, programs: ReadonlySet<string>): ScriptCommand[] {
  return commandLines(script).flatMap(words => {
    const at = words.findIndex(word => programs.has(basename(word)));
    const word = words[at];
    if (word === undefined) return [];
    const set = words.slice(0, at).flatMap(each => {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/.exec(each) ?? [];
      return name === undefined ? [] : [[name, value ?? ''] as const];
    });
    return [{ program: basename(word), words: words.slice(at + 1), env: Object.fromEntries(set) }];
  });
}

/** The words of each command, without their quotes. */
function commandLines(script: string): string[][] {
  const lines: string[][] = [[]];
  for (const [token] of script.matchAll(/&&|\|\||[;|]|(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\s"';|&])+/g)) {
    if (/^(?:&&|\|\||[;|])$/.test(token)) lines.push([]);
    else lines.at(-1)?.push(token.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_, a, b) => a ?? b));
  }
  return lines;
}
