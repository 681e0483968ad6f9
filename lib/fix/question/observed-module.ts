import type { Node } from '@vscode/tree-sitter-wasm';
import type { Input } from '../../repair/behaviour/generate.ts';
import {
  observing,
  plainValues,
  recording,
  source,
  stepsProgram,
  withSteps,
} from '../../repair/behaviour/observed-program.ts';
import { descendants } from '../../syntax/nodes.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { ProjectFunction } from '../localise/functions.ts';

/** Files that also write what their functions are called with, or do, to the notes of a run. */

interface Observation {
  /** Versions of the function, which are called with all inputs. */
  readonly codes: readonly string[];
  readonly inputs: readonly Input[];
  readonly limits: readonly number[];
  readonly budget: number;
}

/** @param name a function of the module */
export function recordingPython(text: string, name: string): string {
  return withCode(text, [source('plain'), source('record-calls'), RECORD], { name });
}

const RECORD = `
import os

module[name] = recorded(module[name], open(os.environ['HEFIX_NOTES'], 'a', buffering=1))
`;

/** Notes calls of a method on objects that have not changed since they were made. @param owner a class of the module @param name its method */
export function recordingMethod(text: string, owner: string, name: string): string {
  return withCode(text, [source('plain'), source('record-calls'), RECORD_METHOD], { owner, called: name });
}

const STATE = `
import functools
import os

owner = module[owner]
method = vars(owner)[called]

def state(made):
    return json.dumps(plain(getattr(made, '__dict__', None)))
`;

/** Notes the number of arguments that made the object, these, and those of the call. */
const RECORD_METHOD = `${STATE}
build = owner.__init__
signatures = inspect.signature(build), inspect.signature(method)
out = open(os.environ['HEFIX_NOTES'], 'a', buffering=1)
built = {}
seen = set()

def positional(signature, *args, **kwargs):
    bound = signature.bind(*args, **kwargs)
    return None if bound.kwargs else [limited(plain(value)) for value in bound.args[1:]]

@functools.wraps(build)
def recorded_build(self, *args, **kwargs):
    try:
        given = positional(signatures[0], self, *args, **kwargs)
    except Exception:
        given = None
    build(self, *args, **kwargs)
    if given is not None and type(self) is owner and len(built) < MAX_CALLS:
        built[id(self)] = self, given, state(self)

@functools.wraps(method)
def recorded_call(self, *args, **kwargs):
    try:
        made, first, before = built.get(id(self), (None, None, None))
        given = positional(signatures[1], self, *args, **kwargs)
        if made is self and given is not None and state(self) == before:
            line = json.dumps([len(first), *first, *given])
            if len(seen) < MAX_CALLS and line not in seen:
                seen.add(line)
                out.write('\\n@call %s\\n' % line)
    except Exception:
        pass
    return method(self, *args, **kwargs)

owner.__init__ = recorded_build
setattr(owner, called, recorded_call)
`;

/** @param made number of the arguments that make the object */
export function observingMethod(
  text: string,
  { owner, name, made }: { readonly owner: string; readonly name: string; readonly made: number },
  { codes, ...observation }: Observation,
): string {
  // In a class of the same name, for the names that begin with two underscores.
  const programs = codes.map(
    code =>
      `class ${owner}:\n${code.replace(/^(?=.)/gm, '    ')}\nhefix_version = vars(${owner})['${name}']\n${owner} = hefix_owner\n${CALL_METHOD}`,
  );
  const parts = [stepsProgram(), source('plain'), source('observe'), STATE, NAMES, OBSERVE, RESTORE];
  return withCode(text, parts, {
    owner,
    called: name,
    name: 'hefix_call',
    made,
    codes: programs,
    ...observation,
  });
}

/** An object that was changed is compared, and cannot be described. */
const CALL_METHOD = `
def hefix_call(*given):
    setattr(hefix_owner, hefix_called, hefix_version)
    made = hefix_owner(*given[:hefix_made])
    before = hefix_state(made)
    value = getattr(made, hefix_called)(*given[hefix_made:])
    after = hefix_state(made)
    return value if after == before else (value, hefix_changed(after))
`;

const NAMES = `
class Changed:
    pass

def changed(after):
    return type('Changed ' + hashlib.sha256(after.encode()).hexdigest(), (Changed,), {})()

module = dict(module, hefix_owner=owner, hefix_called=called, hefix_made=made, hefix_state=state, hefix_changed=changed)
`;
const RESTORE = 'setattr(owner, called, method)';

export function observingPython(text: string, name: string, observation: Observation): string {
  return withCode(text, [stepsProgram(), source('plain'), source('observe'), OBSERVE], {
    name,
    ...observation,
  });
}

/** A call that takes too long ends, and with it the observation of this version, not the process. */
const OBSERVE = `
import os

def ring(number, frame):
    raise TooLong

signal.signal(signal.SIGVTALRM, ring)
notes = open(os.environ['HEFIX_NOTES'], 'a', buffering=1)
stdout = sys.stdout
for number, code in enumerate(codes):
    sys.stdout = notes
    try:
        observe(code, name, inputs, limits, number * len(inputs), budget, dict(module))
    except BaseException:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        sys.stdout = stdout
`;

/** Adds one statement, which binds no name of the module. */
function withCode(text: string, code: readonly string[], parameters: object): string {
  const names = `dict(__import__('json').loads(${pythonText(parameters)}), module=globals(), __name__='hefix')`;
  return `${text}\nexec(__import__('json').loads(${pythonText(code.join('\n\n'))}), ${names})\n`;
}

/** JSON in a string, in ASCII: the file may have any encoding. */
function pythonText(value: unknown): string {
  const json = JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return JSON.stringify(json);
}

/** Of JavaScript or TypeScript; null if the function is not one of the module itself. */
export function recordingJavaScript(
  parser: SyntaxParser,
  text: string,
  { name, headerLine }: Pick<ProjectFunction, 'name' | 'headerLine'>,
): string | null {
  return parser.read(text, root => {
    const definition = descendants(root).find(
      node => node.startPosition.row + 1 === headerLine && nameOf(node) === name && isOfModule(node),
    );
    const body = definition?.childForFieldName('body');
    if (!definition || !body) return null;
    if (definition.type !== 'function_declaration') {
      const called = `(new Function('called', ${RECORDED})(${text.slice(definition.startIndex, definition.endIndex)}))`;
      return text.slice(0, definition.startIndex) + called + text.slice(definition.endIndex);
    }
    const offset = body.startIndex + 1;
    return `${text.slice(0, offset)}new Function('given', ${NOTED})([...arguments]);${text.slice(offset)}`;
  });
}

export function observingJavaScript(
  parser: SyntaxParser,
  text: string,
  name: string,
  observation: Observation,
): string {
  return observingWith(parser, text, { name, code: OBSERVED, more: [] }, observation);
}

/** @param more further arguments of the code */
function observingWith(
  parser: SyntaxParser,
  text: string,
  { name, code, more }: { readonly name: string; readonly code: string; readonly more: readonly unknown[] },
  { codes, inputs, limits, budget }: Observation,
): string {
  const makers = codes.map(each => {
    const counted = withSteps(parser, each.replace(/^export\s+(?:default\s+)?/, ''));
    return `function () { const $step = arguments[0], console = arguments[1];\n${counted}\nreturn ${name}; }`;
  });
  const values = [...[inputs, limits, budget].map(value => JSON.stringify(value)), ...more].join(', ');
  const names = "'makers', 'inputs', 'limits', 'budget', 'owner', 'called', 'count'";
  return `${text}\n;new Function(${names}, ${code})([${makers.join(',\n')}], ${values});\n`;
}

/**
 * Notes calls of a method in JavaScript or TypeScript on objects that have not changed since they were made. Null if it is
 * not a plain method of a class of the module, or if the class hides what an object holds (`#name`) or its constructor
 * returns.
 */
export function recordingJavaScriptMethod(
  parser: SyntaxParser,
  text: string,
  { name, headerLine, qualified }: Pick<ProjectFunction, 'name' | 'headerLine' | 'qualified'>,
): string | null {
  const owner = qualified.slice(0, -name.length - 1);
  return parser.read(text, root => {
    const method = descendants(root).find(
      node =>
        node.startPosition.row + 1 === headerLine &&
        node.type === 'method_definition' &&
        node.childForFieldName('name')?.text === name,
    );
    const classBody = method?.parent;
    const of = classBody?.parent;
    const body = method?.childForFieldName('body');
    if (!method || !classBody || !of || !body || classOfModule(of) !== owner) return null;
    const isPlain = method.children.every(
      child => !/^(?:static|get|set|async|\*|decorator)$/.test(child?.type ?? ''),
    );
    const isDecorated = method.previousNamedSibling?.type === 'decorator';
    const isOpen = descendants(classBody).every(({ type }) => type !== 'private_property_identifier');
    if (!isPlain || !isOpen || isDecorated) return null;
    const building = noteBuilding(of, classBody, owner);
    if (building === null) return null;
    const called = `new Function('made', 'given', ${NOTED_METHOD})(this, [...arguments]);`;
    return [...building, { offset: body.startIndex + 1, text: called }]
      .toSorted((a, b) => b.offset - a.offset)
      .reduce(
        (changed, { offset, text: added }) => changed.slice(0, offset) + added + changed.slice(offset),
        text,
      );
  });
}

/** What notes how objects of the class itself are made; null if the constructor returns. */
function noteBuilding(
  of: Node,
  classBody: Node,
  owner: string,
): { readonly offset: number; readonly text: string }[] | null {
  const plain = `new Function('given', ${GIVEN})([...arguments])`;
  const note = (argumentsText: string) =>
    `if (new.target === ${owner}) new Function('made', 'given', ${NOTED_OBJECT})(this, ${argumentsText});`;
  const isDerived = of.children.some(child => child?.type === 'class_heritage');
  const written = classBody.children.find(
    child => child?.type === 'method_definition' && child.childForFieldName('name')?.text === 'constructor',
  );
  const body = written?.childForFieldName('body');
  if (!body) {
    const text = isDerived ? `super(...arguments);${note(plain)}` : note('[]');
    return [{ offset: classBody.startIndex + 1, text: `constructor() { ${text} }` }];
  }
  if (descendants(body).some(({ type }) => type === 'return_statement')) return null;
  const offset = body.endIndex - 1;
  // Nothing stands before the call of super.
  if (isDerived) return [{ offset, text: `;${note(plain)}` }];
  return [
    { offset: body.startIndex + 1, text: `const $hefixGiven = ${plain};` },
    { offset, text: `;${note('$hefixGiven')}` },
  ];
}

/** The name of a class of the module; null if it is none, or has none. */
function classOfModule(of: Node): string | null {
  if (of.type === 'class_declaration')
    return isOfModule(of) ? (of.childForFieldName('name')?.text ?? null) : null;
  const { parent } = of;
  return of.type === 'class' && parent?.type === 'variable_declarator' && isOfModule(of)
    ? (parent.childForFieldName('name')?.text ?? null)
    : null;
}

/** @param made number of the arguments that make the object */
export function observingJavaScriptMethod(
  parser: SyntaxParser,
  text: string,
  { owner, name, made }: { readonly owner: string; readonly name: string; readonly made: number },
  observation: Observation,
): string {
  return observingWith(
    parser,
    text,
    { name, code: OBSERVED_METHOD, more: [owner, JSON.stringify(name), made] },
    observation,
  );
}

function nameOf(node: Node): string | undefined {
  if (node.type === 'function_declaration') return node.childForFieldName('name')?.text;
  const isValue = /^(?:arrow_function|function_expression)$/.test(node.type);
  return isValue && node.parent?.type === 'variable_declarator'
    ? node.parent.childForFieldName('name')?.text
    : undefined;
}

function isOfModule({ parent }: Node): boolean {
  if (parent?.type === 'variable_declarator') return parent.parent !== null && isOfModule(parent.parent);
  if (parent?.type === 'export_statement') return isOfModule(parent);
  return parent?.type === 'program';
}

const NOTES = `
const { appendFileSync } = process.getBuiltinModule('node:fs');
const note = text => appendFileSync(process.env.HEFIX_NOTES, text + '\\n');
`;

const NOTING = `${plainValues}${recording}${NOTES}
const seen = (globalThis[Symbol.for('hefix.seen')] ??= new Set());
`;
const RECORDED = JSON.stringify(`${NOTING}return recorded(called, seen, note);`);
const NOTED = JSON.stringify(`${NOTING}noteCall(given, seen, note);`);

const OBSERVED = JSON.stringify(`${plainValues}${observing}${NOTES}
for (const [number, make] of makers.entries()) {
  try {
    observe(make, inputs, limits, number * inputs.length, budget, note);
  } catch {}
}`);

const STATE_OF_OBJECT = `
const state = made => JSON.stringify(plain({ ...made }));
const built = (globalThis[Symbol.for('hefix.built')] ??= new WeakMap());
`;
const GIVEN = JSON.stringify(`${plainValues}return given.map(value => limited(plain(value)));`);
/** @see noteBuilding; the arguments are plain data. */
const NOTED_OBJECT = JSON.stringify(`${plainValues}${STATE_OF_OBJECT}
built.set(made, { given, state: state(made) });
`);
/** Notes the number of arguments that made the object, these, and those of the call. */
const NOTED_METHOD = JSON.stringify(`${NOTING}${STATE_OF_OBJECT}
try {
  const known = built.get(made);
  if (known && known.state === state(made)) {
    const line = JSON.stringify([known.given.length, ...known.given, ...given.map(value => limited(plain(value)))]);
    if (seen.size < 400 && !seen.has(line)) {
      seen.add(line);
      note('\\n@call ' + line);
    }
  }
} catch {}
`);
/** An object that was changed is compared, and cannot be described. */
const OBSERVED_METHOD = JSON.stringify(`${plainValues}${observing}${NOTES}${STATE_OF_OBJECT}
const changed = after => Object.create({ constructor: { name: 'Changed ' + hash(after) } });
const method = Object.getOwnPropertyDescriptor(owner.prototype, called);
for (const [number, make] of makers.entries()) {
  const making = (step, silent) => {
    Object.defineProperty(owner.prototype, called, { ...method, value: make(step, silent) });
    return (...given) => {
      const made = new owner(...given.slice(0, count));
      const before = state(made);
      const value = made[called](...given.slice(count));
      const after = state(made);
      return after === before ? value : [value, changed(after)];
    };
  };
  try {
    observe(making, inputs, limits, number * inputs.length, budget, note);
  } catch {}
}
Object.defineProperty(owner.prototype, called, method);
`);
