import type { Parameter, Signature } from './program.ts';

/**
 * Whether every positional call that fits the declared signature also fits the other one. Annotations,
 * default values and names of positional parameters may differ, except for `usedNames`, the argument names
 * that tests use; additional parameters must be optional.
 */
export function acceptsSameCalls(
  declared: Signature,
  actual: Signature,
  usedNames: readonly string[] = [],
): boolean {
  return (
    declared.asynchronous === actual.asynchronous &&
    acceptsByPosition(declared, actual) &&
    acceptsByName(declared, actual, usedNames) &&
    needsNothingMore(declared, actual)
  );
}

function acceptsByPosition(declared: Signature, actual: Signature): boolean {
  const given = positional(actual);
  const takesRest = has(actual, 'rest');
  if (has(declared, 'rest') && !takesRest) return false;
  return positional(declared).every((parameter, index) => {
    const counterpart = given[index];
    return counterpart ? counterpart.optional || !parameter.optional : takesRest;
  });
}

function acceptsByName(declared: Signature, actual: Signature, usedNames: readonly string[]): boolean {
  if (has(actual, 'keyword-rest')) return true;
  if (has(declared, 'keyword-rest')) return false;
  const names = new Set(actual.parameters.map(parameter => parameter.name));
  return declared.parameters
    .filter(
      ({ kind, name }) => kind === 'keyword-only' || (kind === 'positional' && usedNames.includes(name)),
    )
    .every(({ name }) => names.has(name));
}

function needsNothingMore(declared: Signature, actual: Signature): boolean {
  const names = new Set(declared.parameters.map(parameter => parameter.name));
  const extra = positional(actual).slice(positional(declared).length);
  const keywords = actual.parameters.filter(({ kind, name }) => kind === 'keyword-only' && !names.has(name));
  return [...extra, ...keywords].every(parameter => parameter.optional);
}

function positional(signature: Signature): Parameter[] {
  return signature.parameters.filter(parameter => parameter.kind === 'positional');
}

function has(signature: Signature, kind: Parameter['kind']): boolean {
  return signature.parameters.some(parameter => parameter.kind === kind);
}
