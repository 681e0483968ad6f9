import type { AwaitedError } from '../facts.ts';
import type { FunctionView } from '../function-view.ts';

/** How to make an error: as its file does elsewhere, or with the message that the test wants. */
export function errorTexts(view: FunctionView, { type, message }: AwaitedError, saying: string): string[] {
  const elsewhere = view.file.errors.filter(text => text.startsWith(`${type}(`) && isPlain(text));
  const exception = `${type}(${quoted(message ?? saying)})`;
  return message === null && elsewhere[0] ? [elsewhere[0]] : [exception];
}

/** Without names of another function. */
function isPlain(text: string): boolean {
  return /^[\w.]+\((?:(?:"[^"{}%\\]*"|'[^'{}%\\]*')?)\)$/.test(text);
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
