import { taskOfCode } from '../../core/task.ts';
import { withoutDocstring } from '../../syntax/docstring.ts';
import { descendants } from '../../syntax/nodes.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { Statement } from '../../syntax/program.ts';
import type { CodeTask } from './code-task.ts';

/** The methods of a Java program's classes, which its tests call on an object. */
export function methodsIn(statements: readonly Statement[]): Statement[] {
  return statements.flatMap(({ kind, inner }) => (kind === 'class' ? inner : []));
}

/** One method of a Java program as a task: the rest of its class stays as it is. */
export function methodTask(
  parser: SyntaxParser,
  { code, tests }: { readonly code: string; readonly tests: string },
  name: string,
): CodeTask | null {
  const methods = methodTexts(parser, code);
  const method = methods.findLast(one => one.name === name);
  if (!method) return null;
  const before = code.slice(0, method.start);
  const after = code.slice(method.start + method.text.length);
  const { docstring, header } = withoutDocstring(parser, 'java', method.text, before);
  return {
    task: taskOfCode({
      id: name,
      language: 'java',
      entryPoint: name,
      declaration: `${before}${header.trimEnd()} {\n`,
      docstring,
      buggy: code,
      tests,
    }),
    codeWith(candidate) {
      const candidateMethods = methodTexts(parser, candidate);
      const fixed = candidateMethods.findLast(one => one.name === name);
      if (!fixed) return null;
      const helpers = candidateMethods.filter(one => !methods.some(other => other.name === one.name));
      const margin = /(?<![ \t])[ \t]*$/.exec(before)?.[0] ?? '';
      return `${before}${[...helpers, fixed].map(({ text }) => text).join(`\n\n${margin}`)}${after}`;
    },
  };
}

interface MethodText {
  readonly name: string;
  /** As in the code, with its margin. */
  readonly text: string;
  readonly start: number;
}

function methodTexts(parser: SyntaxParser, code: string): MethodText[] {
  return parser.read(code, root =>
    descendants(root)
      .filter(({ type }) => type === 'method_declaration')
      .map(node => ({
        name: node.childForFieldName('name')?.text ?? '',
        text: node.text,
        start: node.startIndex,
      })),
  );
}
