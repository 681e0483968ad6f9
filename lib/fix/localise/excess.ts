import type { SyntaxParser } from '../../syntax/parser.ts';
import type { SourceFile } from '../patch/source-file.ts';
import { hasMoreConstants, MAX_CONSTANTS } from './constants.ts';
import { excessFunctions, MAX_FUNCTIONS, MAX_NODES } from './functions.ts';
import { hasMoreImports, MAX_IMPORTS } from './imports.ts';

/** What of a file exceeds limits, as whole sentences. */
export function excessIn(parser: SyntaxParser, file: SourceFile): string[] {
  const { path, text } = file;
  const excess = parser.excessOf(text);
  if (excess !== null) return [`${path} ${excess}, so that no function in it is repaired.`];
  const { long, hasMore } = excessFunctions(parser, file);
  return [
    ...(hasMore ? [`Only the first ${MAX_FUNCTIONS} functions of ${path} are repaired.`] : []),
    ...(hasMoreConstants(parser, file)
      ? [`Only the first ${MAX_CONSTANTS} constants of ${path} are repaired.`]
      : []),
    ...(hasMoreImports(file)
      ? [`Only the first ${MAX_IMPORTS} lines with imports in ${path} are read.`]
      : []),
    ...long.map(
      ({ qualified }) =>
        `${qualified} in ${path} has more than ${MAX_NODES} syntax nodes, so that it is not repaired.`,
    ),
  ];
}
