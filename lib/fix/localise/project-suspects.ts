import { takeTurns } from '../../core/async.ts';
import { failedTests, type TestResult } from '../../core/project-tests.ts';
import { closest } from '../../options/option.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { functionAmbiguous, functionNotFound, targetIsTest } from '../errors.ts';
import type { SourceFile } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import { withoutTests } from '../project/test-code.ts';
import { withReads } from './constant-reads.ts';
import { constantsIn, repairableIn } from './constants.ts';
import { excessIn } from './excess.ts';
import { executes, functionsIn, hasLine, type ProjectFunction } from './functions.ts';
import { importsOf, modulesByFile } from './imports.ts';
import { rankConstants, rankSuspects, type Suspect } from './suspects.ts';

/** The function that was named, by location; null if none was. */
export type Chosen = { readonly qualified: string; readonly place: number } | null;

/** @throws HefixError `FUNCTION_NOT_FOUND`, `FUNCTION_AMBIGUOUS` */
export function chosenFunction(parser: SyntaxParser, { target, targetFile, source }: OpenProject): Chosen {
  const { function: name, line } = target;
  if (name === null || targetFile === null) return null;
  const all = repairableIn(parser, source(targetFile));
  const named = all.filter(each => each.qualified === name || each.name === name);
  const exact = named.filter(each => each.qualified === name);
  const matches = (exact.length > 0 ? exact : named).filter(each => line === null || hasLine(each, line));
  const [first, ...others] = matches;
  if (!first) {
    const names = all.map(({ qualified }) => qualified);
    const [excess] = excessIn(parser, source(targetFile));
    throw functionNotFound(name, targetFile, closest(name, names), excess);
  }
  if (others.length > 0)
    throw functionAmbiguous(
      name,
      targetFile,
      matches.map(({ headerLine }) => headerLine),
    );
  return placeOf(all, first);
}

/**
 * The failing tests that do not execute the function that was named, which no change of it can repair; none if no failing
 * test executes it, or a constant was named.
 */
export function testsOfOthers(
  { parser, targetFile, source }: Pick<OpenProject, 'parser' | 'targetFile' | 'source'>,
  chosen: Chosen,
  tests: readonly TestResult[],
): string[] {
  if (chosen === null || targetFile === null) return [];
  const named = functionsIn(parser, source(targetFile)).filter(each => each.qualified === chosen.qualified)[
    chosen.place
  ];
  if (!named) return [];
  const failing = failedTests({ tests });
  const others = failing.filter(test => !executes(test, named));
  return others.length === failing.length ? [] : others.map(({ id }) => id);
}

function placeOf(all: readonly ProjectFunction[], wanted: ProjectFunction): Chosen {
  const alike = all.filter(({ qualified }) => qualified === wanted.qualified);
  return { qualified: wanted.qualified, place: alike.indexOf(wanted) };
}

/**
 * The suspects among the project's functions and the constants that these read, those of a named file or folder first.
 * If a function or constant was named, only that one. Rejects with the signal's reason soon after an abort.
 */
export async function projectSuspects(
  project: ProjectFiles & Pick<OpenProject, 'isOwn' | 'plan'>,
  tests: readonly TestResult[],
  chosen: Chosen,
  signal: AbortSignal,
): Promise<Suspect[]> {
  const { parser, targetFile, isOwn } = project;
  const { files, imported } = await suspectFiles(project, tests, signal);
  const functions = await fromEach(files, file => functionsIn(parser, file), signal);
  const constants = await fromEach([...files, ...imported], file => constantsIn(parser, file), signal);
  const all = [...functions, ...withReads(constants, files, functions)];
  const repairable = withoutTests(all, tests, project);
  const ranked = rankAll(repairable, tests);
  if (chosen !== null) {
    const matches = all.filter(
      ({ file, qualified }) => file.path === targetFile && qualified === chosen.qualified,
    );
    const named = matches[chosen.place];
    if (named && !repairable.includes(named)) throw targetIsTest(`${targetFile}::${chosen.qualified}`);
    return named ? [ranked.find(each => each.function === named) ?? unexecuted(named)] : [];
  }
  const isNamed = (suspect: Suspect): boolean => isOwn(suspect.function.file.path);
  return [...ranked.filter(isNamed), ...ranked.filter(suspect => !isNamed(suspect))];
}

/** What exceeds limits in the files that suspects come from, as whole sentences. Rejects like `projectSuspects`. */
export async function projectExcess(
  project: ProjectFiles & Pick<OpenProject, 'refused'>,
  tests: readonly TestResult[],
  signal: AbortSignal,
): Promise<string[]> {
  const { files, imported } = await suspectFiles(project, tests, signal);
  const all = [...files, ...imported];
  const others = project.refused().filter(({ path }) => !all.some(each => each.path === path));
  return await fromEach([...all, ...others], file => excessIn(project.parser, file), signal);
}

type ProjectFiles = Pick<OpenProject, 'parser' | 'check' | 'source' | 'sources' | 'targetFile'>;

/** The files that tests executed, and the named one; then those that they import. */
async function suspectFiles(
  { sources, source, targetFile, check }: ProjectFiles,
  tests: readonly TestResult[],
  signal: AbortSignal,
): Promise<{ readonly files: readonly SourceFile[]; readonly imported: readonly SourceFile[] }> {
  const executed = new Set(tests.flatMap(({ lines = {} }) => Object.keys(lines)));
  const files = sources.filter(path => executed.has(path) || path === targetFile).map(source);
  const paths = new Set(files.map(({ path }) => path));
  const moduleIn = modulesByFile(await fromEach(files, importsOf, signal));
  const imported = sources.filter(path => !paths.has(path) && moduleIn(path)).map(source);
  await check([...files, ...imported], signal);
  return { files, imported };
}

/** What is found in each file, with a pause after each, since reading a long one takes long. */
async function fromEach<Found>(
  files: readonly SourceFile[],
  find: (file: SourceFile) => readonly Found[],
  signal: AbortSignal,
): Promise<Found[]> {
  const results: Found[] = [];
  for (const file of files) {
    for (const each of find(file)) results.push(each);
    await takeTurns(signal);
  }
  return results;
}

/** Functions and constants, the most suspicious first. */
function rankAll(repairable: readonly ProjectFunction[], tests: readonly TestResult[]): Suspect[] {
  const ranked = rankSuspects(repairable, tests);
  const executed = new Set(ranked.map(suspect => suspect.function));
  const others = repairable.filter(each => each.kind === 'constant' && !executed.has(each));
  return [...ranked, ...rankConstants(others, ranked, tests)].toSorted((a, b) => b.suspicion - a.suspicion);
}

function unexecuted(named: ProjectFunction): Suspect {
  return { function: named, suspicion: 0, lines: new Map() };
}
