import { readFileSync } from 'node:fs';
import type { Node } from '@vscode/tree-sitter-wasm';
import { packageFile } from '../files/package-root.ts';
import { descendants } from '../syntax/nodes.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import { isLoop } from '../syntax/shapes.ts';

/** The Python code that counts steps, for the beginning of a candidate. */
export function stepsProgram(): string {
  return readFileSync(packageFile('lib/behaviour/steps.py'), 'utf8');
}

/** Calls `$step` in each loop iteration and each call of a JavaScript program. */
export function withSteps(parser: SyntaxParser, program: string): string {
  const places = parser.read(program, root =>
    descendants(root).flatMap(node => {
      const body = isLoop(node) || isFunction(node) ? node.childForFieldName('body') : null;
      if (!body) return [];
      if (body.type === 'statement_block') return [{ at: body.startIndex + 1, text: '$step();' }];
      const [before, after] = isLoop(node) ? ['{$step();', '}'] : ['($step(),', ')'];
      return [
        { at: body.startIndex, text: before },
        { at: body.endIndex, text: after },
      ];
    }),
  );
  return places
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), program);
}

function isFunction({ type }: Node): boolean {
  return /^(?:arrow_function|function_expression|generator_function|(?:generator_)?function_declaration|method_definition)$/.test(
    type,
  );
}
