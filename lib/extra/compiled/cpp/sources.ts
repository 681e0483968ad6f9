import type { CppSignature } from './signature.ts';

/** File names that appear in the compiler's messages. */
export const sourceNames = {
  tests: 'tests.cpp',
  candidate: 'candidate.cpp',
  serve: 'hefix-serve.cpp',
} as const;

/** C library functions that a call with literals would prefer to a stub that takes std::string. */
const libraryFunctions = new Set('strlen strcmp strcat strcpy abs index remove rename rindex'.split(' '));

/** The judge: the declaration's own helpers, a stub that asks the candidate, and the tests. */
export function judgeSource(declaration: string, signature: CppSignature, tests: string): string {
  const { name, returns, parameters, start } = signature;
  const types = parameters.map(({ type }) => type).join(', ');
  const declared = parameters
    .map(({ type, defaultValue }, i) => `${type} hefix_${i}${defaultValue}`)
    .join(', ');
  const callArguments = [`"${name}"`, ...parameters.map((_, i) => `hefix_${i}`)].join(', ');
  return [
    declaration.slice(0, start),
    ...(libraryFunctions.has(name) ? [`#define ${name} hefix_tested_${name}`] : []),
    `${returns} ${name}(${declared}) { return hefix::Entry<${returns}(${types})>::ask(${callArguments}); }`,
    `extern const bool hefix_decides_by_status = ${decidesByStatus(tests)};`,
    `extern const bool hefix_asserts = ${/\bassert\s*\(/.test(tests)};`,
    `#line 1 "${sourceNames.tests}"`,
    tests,
    '',
  ].join('\n');
}

/** Whether tests can fail without an assertion: by another exit status, abort() or an exception. */
function decidesByStatus(tests: string): boolean {
  return /\breturn\s(?!\s*(?:0\s*)?;)[^;]+;|\b(?:exit|abort|throw|terminate)\b/.test(tests);
}

/** The candidate unchanged, followed by the code that serves calls; a main of its own is never called. */
export function candidateSource(candidate: string, { name, returns, parameters }: CppSignature): string {
  const callArguments = parameters.map(({ type }, i) =>
    /&&$/.test(type) ? `std::move(hefix_${i})` : `hefix_${i}`,
  );
  const call = `${name}(${callArguments.join(', ')})`;
  return [
    '#define main hefix_candidate_main',
    `#line 1 "${sourceNames.candidate}"`,
    candidate,
    `#line 1 "${sourceNames.serve}"`,
    '#undef main',
    'using namespace std;',
    'void hefix_answer(hefix::Reader &hefix_reader, hefix::Writer &hefix_writer) {',
    ...parameters.map(
      ({ type }, i) => `  hefix::Bare<${type}> hefix_${i} = hefix::take<${type}>(hefix_reader);`,
    ),
    ...(returns === 'void'
      ? [`  ${call};`]
      : [
          `  hefix::Bare<${returns}> hefix_result = ${call};`,
          `  hefix::give<${returns}>(hefix_writer, hefix_result);`,
        ]),
    ...parameters.flatMap(({ type, isChangedInPlace }, i) =>
      isChangedInPlace ? [`  hefix::give<${type}>(hefix_writer, hefix_${i});`] : [],
    ),
    '}',
    '',
  ].join('\n');
}
