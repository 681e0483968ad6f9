import { testsInvalid } from '../../../sandbox/errors.ts';
import { descendants, namedChildren } from '../../../syntax/nodes.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';
import { maskLiterals } from '../../../syntax/source-text.ts';
import type { JudgedTask } from '../toolchain.ts';
import { markedChecks } from './checks.ts';
import { closingBraces, declaredSignature, type JavaSignature } from './signature.ts';

/** File names that appear in the compiler's messages and on the stack. */
export const candidateFile = 'candidate.java';
export const testsFile = 'tests.java';

export interface JudgeSources {
  readonly files: Readonly<Record<string, string>>;
  /** Arguments of the judge: the class with the tests' main method, the stub's class, the tested method. */
  readonly judgeArguments: readonly [main: string, stub: string, name: string];
}

/**
 * The judge's files: the declaration with a stub that asks the candidate, and the tests with the declaration's
 * imports in front, on the tests' own first line. Throws TESTS_INVALID.
 */
export function judgeSources(parser: SyntaxParser, { declaration, tests }: JudgedTask): JudgeSources {
  const signature = declaredSignature(parser, declaration);
  const main = mainClass(parser, tests);
  if (main === null) throw testsInvalid('have no class with a method public static void main(String[] args)');
  const statements = maskLiterals(tests);
  if (!/\b(?:throw|assert|exit|halt)\b/.test(statements)) throw testsInvalid('assert nothing');
  const mustAssert = !/\b(?:throw|exit|halt)\b/.test(statements);
  const imports = importsOf(parser, declaration);
  return {
    files: {
      'stub.java': [
        declaration.slice(0, signature.start),
        stub(signature),
        ...(mustAssert ? ['static void hefixMustAssert() {}\n'] : []),
        closingOf(declaration),
      ].join(''),
      [testsFile]: `${imports}${markedChecks(parser, tests, signature)}\n`,
    },
    judgeArguments: [main, signature.className, signature.name],
  };
}

/** The candidate's files: its own, and the class that calls it. */
export function candidateSources(
  parser: SyntaxParser,
  { declaration }: Pick<JudgedTask, 'declaration'>,
  candidate: string,
): Record<string, string> {
  const { className, name, isStatic, typeParameters, returns, parameters } = declaredSignature(
    parser,
    declaration,
  );
  const declared = parameters.map((type, index) => `, ${type} a${index}`).join('');
  const callArguments = parameters.map((_, index) => `a${index}`).join(', ');
  const cast = parameters.map((_, index) => `, hefixCast(a[${index}])`).join('');
  const call = `${isStatic ? className : 's'}.${name}(${callArguments})`;
  const isVoid = returns === 'void';
  const served = `hefixCall((${className}) s${cast})`;
  return {
    [candidateFile]: `${candidate}\n`,
    'serve.java': [
      importsOf(parser, declaration),
      'public final class HefixServe implements hefix.Entry {',
      `  public java.lang.Object create() throws java.lang.Throwable { return ${isStatic ? 'null' : `new ${className}()`}; }`,
      '  public java.lang.Object call(java.lang.Object s, java.lang.Object[] a) throws java.lang.Throwable {',
      `    ${isVoid ? `${served}; return null;` : `return ${served};`}`,
      '  }',
      `  static ${typeParameters} ${returns} hefixCall(${className} s${declared}) throws java.lang.Throwable {`,
      `    ${isVoid ? '' : 'return '}${call};`,
      '  }',
      '  @SuppressWarnings("unchecked") static <X> X hefixCast(java.lang.Object value) { return (X) value; }',
      '}\n',
    ].join('\n'),
  };
}

/** The imports of a program, on one line. */
function importsOf(parser: SyntaxParser, program: string): string {
  return parser.read(program, root =>
    namedChildren(root)
      .filter(({ type }) => type === 'import_declaration')
      .map(({ text }) => `${text.replace(/\s+/g, ' ')} `)
      .join(''),
  );
}

/** The tests' class whose main method runs them. */
function mainClass(parser: SyntaxParser, tests: string): string | null {
  return parser.read(tests, root => {
    const main = descendants(root).find(
      ({ type, text }) =>
        type === 'method_declaration' && /^(?:\w+\s+)*static\s+(?:\w+\s+)*void\s+main\s*\(/.test(text),
    );
    return main?.parent?.parent?.childForFieldName('name')?.text ?? null;
  });
}

/** Sends its arguments to the candidate and returns the reply; the second method only tells the judge the types. */
function stub({
  className,
  name,
  isStatic,
  typeParameters,
  returns,
  parameters,
  throws,
}: JavaSignature): string {
  const declared = parameters.map((type, index) => `${type} a${index}`).join(', ');
  const callArguments = parameters.map((_, index) => `a${index}`).join(', ');
  const call = `hefix.Judge.call(${isStatic ? 'null' : 'this'}, new Object[] {${callArguments}})`;
  const header = `${typeParameters} ${returns}`;
  return [
    `public ${isStatic ? 'static ' : ''}${header} ${name}(${declared}) ${throws} { ${returns === 'void' ? '' : `return (${returns}) `}${call}; }`,
    `static ${header} hefixSignature(${declared}) { throw new Error("${className}"); }\n`,
  ].join('\n');
}

/** The stub closes its own body. */
function closingOf(declaration: string): string {
  return `${closingBraces(declaration).slice(1)}\n`;
}
