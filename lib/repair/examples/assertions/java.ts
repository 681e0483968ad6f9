import { splitTopLevel } from '../../../syntax/source-text.ts';
import type { Value } from '../literals.ts';
import {
  type AssertionWriter,
  character,
  dynamic,
  entriesOf,
  fraction,
  integer,
  isRounded,
  listed,
  mapped,
  text,
  truth,
  within,
} from './assertion-writer.ts';

export const java: AssertionWriter = {
  write,
  assertion({ name, owner, result }, { args, wanted, expected }) {
    const call = `new ${owner}().${name}(${args.join(', ')})`;
    if (/^(?:float|double|Float|Double)$/.test(result) && isRounded(expected))
      return `assert Math.abs(${call} - ${wanted}) < ${/^f/i.test(result) ? '1e-4' : '1e-6'};`;
    if (/^[a-z]+$/.test(result)) return `assert ${call} == ${wanted};`;
    if (/\]\s*\[\s*\]$/.test(result)) return `assert Arrays.deepEquals(${call}, ${wanted});`;
    return `assert ${result.endsWith(']') ? 'Arrays' : 'Objects'}.equals(${call}, ${wanted});`;
  },
  program: assertions =>
    [
      'import java.util.*;\n\npublic class Main {\n    public static void main(String[] args) {',
      ...assertions.map(line => `        ${line}`),
      '    }\n}\n',
    ].join('\n'),
};

function write(value: Value, typeText: string): string | null {
  const type = typeText.replace(/\s+/g, ' ').replaceAll('java.util.', '').trim();
  switch (type) {
    case 'boolean':
    case 'Boolean':
      return truth(value);
    case 'char':
    case 'Character':
      return character(value);
    case 'String':
      return value.kind === 'nothing' ? 'null' : text(value);
    case 'int':
    case 'Integer':
      return integer(value);
    case 'short':
    case 'byte':
      return within(integer(value), number => `(${type}) ${number}`);
    case 'long':
    case 'Long':
      return within(integer(value), number => `${number}L`);
    case 'float':
    case 'Float':
      return within(fraction(value), number => `${number}f`);
    case 'double':
    case 'Double':
      return fraction(value);
    case 'Object':
      return value.kind === 'nothing' ? 'null' : dynamic(value);
    default:
      return value.kind === 'nothing' && !/^Optional\b/.test(type) ? null : composite(value, type);
  }
}

function composite(value: Value, type: string): string | null {
  const ofArray = /^([^<]+?) ?\[ ?\]$/.exec(type)?.[1];
  if (ofArray !== undefined)
    return within(
      listed(value, each => write(each, ofArray)),
      items => `new ${ofArray}[] {${items}}`,
    );
  const [, name = '', inside = ''] = /^(\w+) ?<(.*)>$/s.exec(type) ?? [];
  const [item = '', entry = ''] = splitTopLevel(inside);
  const writeItem = (each: Value): string | null => write(each, item);
  const items = (): string | null => listed(value, writeItem);
  if (/^(?:Iterable|Collection|(?:Array)?List)$/.test(name))
    return within(items(), content => `new ArrayList<${item}>(Arrays.<${item}>asList(${content}))`);
  if (/^(?:Linked|Tree)?(?:Hash)?Set$/.test(name)) {
    const className = name === 'Set' ? 'HashSet' : name;
    return within(items(), content => `new ${className}<${item}>(Arrays.<${item}>asList(${content}))`);
  }
  if (name === 'Optional') {
    if (value.kind === 'nothing') return `Optional.<${item}>empty()`;
    return within(writeItem(value.kind === 'some' ? value.value : value), inner => `Optional.of(${inner})`);
  }
  if (!/^(?:Linked|Tree)?(?:Hash)?Map$/.test(name) || (entriesOf(value)?.length ?? 0) > MAX_ENTRIES)
    return null;
  const writeEntry = (each: Value) => write(each, entry);
  const className = name === 'Map' ? 'HashMap' : name;
  const written = mapped(value, writeItem, writeEntry, (key, held) => `${key}, ${held}`);
  return within(
    written,
    content => `new ${className}<${item}, ${entry}>(Map.<${item}, ${entry}>of(${content}))`,
  );
}

/** What Map.of takes. */
const MAX_ENTRIES = 10;
