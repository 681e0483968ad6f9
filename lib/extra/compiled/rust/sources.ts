import { testsInvalid } from '../../../sandbox/errors.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';
import type { JudgedTask } from '../toolchain.ts';
import { angled, declaredSignature, type RustSignature, type RustType } from './signature.ts';
import { readTests } from './tests-file.ts';

/** File names that appear in the compiler's messages. */
export const candidateFile = 'candidate.rs';
export const testsFile = 'tests.rs';

/** The judge's file: the tests, followed by the task's helpers and a stub instead of the entry point. */
export function judgeSources(
  parser: SyntaxParser,
  { declaration, entryPoint, tests }: JudgedTask,
): Record<string, string> {
  const signature = declaredSignature(parser, declaration, entryPoint);
  const { text, runners } = readTests(parser, tests);
  if (runners.length === 0) throw testsInvalid('have no function with #[test]');
  const mustAssert = assertion.test(tests) && !otherFailure.test(tests);
  const main = `fn main() { ::hefix::judge::run("${signature.name}", ${mustAssert}, &[${runners.join(', ')}]) }`;
  return { [testsFile]: `${text}\n${declaration.slice(0, signature.start)}\n${stub(signature)}\n${main}\n` };
}

const assertion = /\bassert(?:_eq|_ne)?\s*!/;
/** How tests fail without an assertion. */
const otherFailure =
  /\bshould_panic\b|\b(?:panic|unreachable|todo|unimplemented)\s*!|\b(?:unwrap\w*|expect\w*|exit|abort|Err)\s*\(|\?\s*[;)]/;

/** The candidate's file, with a module inside that serves calls. */
export function candidateSources(
  parser: SyntaxParser,
  { declaration, entryPoint }: Pick<JudgedTask, 'declaration' | 'entryPoint'>,
  candidate: string,
): Record<string, string> {
  const signature = declaredSignature(parser, declaration, entryPoint);
  return {
    [candidateFile]: `${candidate}\n#[path = "serve.rs"] pub mod hefix_serve;\n`,
    'serve.rs': server(signature),
    'main.rs': `#[path = "${candidateFile}"] mod candidate;\nfn main() { candidate::hefix_serve::main() }\n`,
  };
}

/** A function that sends its arguments to the candidate and returns the reply. */
function stub({ name, lifetimes, parameters, result }: RustSignature): string {
  const list = parameters.map(({ text }, index) => `a${index}: ${text}`).join(', ');
  const added = parameters.map((_, index) => `.add(&a${index})`).join('');
  const restored = parameters
    .map((type, index) => (type.isMutable ? restore(type, `a${index}`) : ''))
    .join('');
  return [
    `#[track_caller]\nfn ${name}${angled(lifetimes)}(${list}) -> ${result.text} {`,
    `    let arguments = ::hefix::judge::Arguments::default()${added};`,
    `    ::hefix::judge::call::<${withStaticLifetimes(result.text)}>("${name}", arguments, &mut |r| { ${restored}::std::result::Result::Ok(()) })`,
    '}',
  ].join('\n');
}

/** Copies the candidate's changes into the tests' values. */
function restore({ referent }: RustType, name: string): string {
  const item = sliceItem(referent ?? '');
  if (item === null) return `*${name} = ::hefix::Get::get(r)?; `;
  const items = `let items: ::std::vec::Vec<${item}> = ::hefix::Get::get(r)?;`;
  return `${items} if items.len() != ${name}.len() { return ::std::result::Result::Err(::hefix::get::Unreadable); } for (to, item) in ${name}.iter_mut().zip(items) { *to = item; } `;
}

/** A module inside the candidate's, so that it can call private functions. */
function server({ name, lifetimes, parameters, result }: RustSignature): string {
  const higher = lifetimes === '' ? '' : `for<${lifetimes}> `;
  const pointer = `${higher}fn(${parameters.map(({ text }) => text).join(', ')}) -> ${result.text}`;
  const reads = parameters
    .map((type, index) => `    let mut a${index}: ${owned(type)} = read(r)?;\n`)
    .join('');
  const passed = parameters.map((type, index) => pass(type, `a${index}`)).join(', ');
  const changed = parameters
    .map((type, index) => (type.isMutable ? `    ::hefix::Put::put(&a${index}, out)?;\n` : ''))
    .join('');
  const outcome = '::std::result::Result<(), ::std::string::String>';
  return `use super::*;
pub fn main() { ::hefix::serve::serve(answer) }
fn read<T: ::hefix::Get>(r: &mut ::hefix::Reader) -> ::std::result::Result<T, ::std::string::String> {
    ::hefix::Get::get(r).map_err(|_| ::std::string::String::from("its arguments"))
}
fn answer(r: &mut ::hefix::Reader, out: &mut ::std::vec::Vec<u8>) -> ${outcome} {
    let function: ${pointer} = super::${name};
${reads}    let result = function(${passed});
    ::hefix::Put::put(&result, out)?;
    ::std::mem::drop(result);
${changed}    ::std::result::Result::Ok(())
}
`;
}

/** The type of the value that the server owns while the function borrows it. */
function owned({ text, referent }: RustType): string {
  if (referent === null) return withStaticLifetimes(text);
  if (referent === 'str') return '::std::string::String';
  const item = sliceItem(referent);
  if (item !== null) return `::std::vec::Vec<${withStaticLifetimes(item)}>`;
  return /^dyn\b/.test(referent) ? `::std::boxed::Box<${referent}>` : withStaticLifetimes(referent);
}

function pass({ referent, isMutable }: RustType, name: string): string {
  if (referent === null) return name;
  return `${isMutable ? '&mut ' : '&'}${/^dyn\b/.test(referent) ? '*' : ''}${name}`;
}

/** `T` in the slice type `[T]`. */
function sliceItem(type: string): string | null {
  return /^\[([^;]*)\]$/s.exec(type)?.[1] ?? null;
}

/** References in received values live as long as the process. */
function withStaticLifetimes(type: string): string {
  return type.replace(/&\s*(?:'\w+\s+)?(?!mut\b)/g, "&'static ");
}
