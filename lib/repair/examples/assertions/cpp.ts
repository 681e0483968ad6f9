import { splitTopLevel } from '../../../syntax/source-text.ts';
import type { Value } from '../literals.ts';
import {
  type AssertionWriter,
  character,
  fraction,
  integer,
  isRounded,
  listed,
  mapped,
  text,
  truth,
  tupled,
  within,
} from './assertion-writer.ts';

export const cpp: AssertionWriter = {
  write,
  assertion({ name, parameters, result }, { args, wanted, expected }) {
    // A reference needs a variable.
    const references = args.map((value, index) => (isChanged(parameters[index]) ? `hefix_${index}` : value));
    const variables = args.map((value, index) =>
      isChanged(parameters[index]) ? `auto hefix_${index} = ${value}; ` : '',
    );
    const call = `${name}(${references.join(', ')})`;
    const assertion =
      isRounded(expected) && /^(?:float|(?:long )?double)$/.test(bare(result))
        ? `assert(std::fabs(${call} - (${wanted})) < ${bare(result) === 'float' ? '1e-4' : '1e-6'});`
        : `assert(${call} == ${wanted});`;
    return variables.join('') === '' ? assertion : `{ ${variables.join('')}${assertion} }`;
  },
  program: assertions =>
    [
      '#undef NDEBUG\n#include <assert.h>\n#include <cmath>\nint main() {',
      ...assertions.map(line => `    ${line}`),
      '}\n',
    ].join('\n'),
};

function write(value: Value, typeText: string): string | null {
  const type = bare(typeText);
  const plain = type.replaceAll('std::', '');
  if (plain === 'bool') return truth(value);
  if (plain === 'char' && value.kind === 'string') return character(value);
  if (plain === 'string') return within(text(value), written => `std::string(${written})`);
  if (/^(?:(?:un)?signed ?|short|int|long|char|u?int\d+_t|size_t| )+$/.test(plain))
    return integer(value, /^u|^size/.test(plain));
  if (/^(?:float|(?:long )?double)$/.test(plain)) return fraction(value);
  const [, name = '', inside = ''] = /^(\w+) ?<(.*)>$/s.exec(plain) ?? [];
  const types = splitTopLevel(inside);
  const [item = '', entry = ''] = types;
  if (name === 'optional') {
    if (value.kind === 'nothing') return `${type}{}`;
    return within(write(value.kind === 'some' ? value.value : value, item), inner => `${type}{${inner}}`);
  }
  const writeItem = (each: Value) => write(each, item);
  const braced = (written: string | null) => within(written, content => `${type}{${content}}`);
  if (/^(?:pair|tuple)$/.test(name)) return braced(tupled(value, types, write));
  if (/^(?:unordered_)?map$/.test(name)) {
    const writeEntry = (each: Value) => write(each, entry);
    return braced(mapped(value, writeItem, writeEntry, (key, held) => `{${key}, ${held}}`));
  }
  const isList = /^(?:vector|list|deque|(?:unordered_|multi)?set)$/.test(name);
  return isList ? braced(listed(value, writeItem)) : null;
}

/** Without `const` and `&`. */
function bare(type: string): string {
  return type
    .replace(/\bconst\b|&/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function isChanged(type = ''): boolean {
  return /(?<!&)&$/.test(type.trim()) && !/\bconst\b/.test(type);
}
