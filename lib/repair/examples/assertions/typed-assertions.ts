import type { Task } from '../../../core/task.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';
import type { CompiledLanguage } from '../../enumerate/words.ts';
import { type AssertionWriter, all, type TypedExample } from './assertion-writer.ts';
import { cpp } from './cpp.ts';
import { functionTypes } from './function-types.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { rust } from './rust.ts';

const writers: Readonly<Record<CompiledLanguage, AssertionWriter>> = { cpp, go, java, rust };

/** Examples of a compiled language as assertions; those whose values do not fit the function's types are left out. */
export function typedAssertions(
  parser: SyntaxParser,
  { language, entryPoint, buggy }: Pick<Task, 'language' | 'entryPoint' | 'buggy'>,
  examples: readonly TypedExample[],
): string[] {
  const types = functionTypes(parser, buggy, entryPoint);
  const writer = writers[language as CompiledLanguage];
  if (!types) return [];
  return examples.flatMap(example => {
    const { expected } = example;
    const args = all(example.args, (arg, index) => writer.write(arg, types.parameters[index] ?? ''));
    const wanted = writer.write(expected, types.result);
    if (args?.length !== types.parameters.length || wanted === null) return [];
    return [writer.assertion(types, { args, wanted, expected })];
  });
}

/** Assertions as tests of their language: a program where one is needed. */
export function testsOf(language: Task['language'], assertions: readonly string[]): string {
  if (language in writers) return writers[language as CompiledLanguage].program(assertions);
  return assertions.map(line => `${line}\n`).join('');
}
