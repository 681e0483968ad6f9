import type { AnyStateMachine, AnyStateNode } from 'xstate';
import type { MachineFormat } from '../core/choices.ts';

/**
 * A machine as text: a Mermaid state diagram, code for Stately's editor, its configuration as JSON, or a drawing for the
 * terminal.
 */
export function formatMachine(machine: AnyStateMachine, format: MachineFormat): string {
  if (format === 'json') return `${configJson(machine)}\n`;
  if (format === 'stately')
    return `import { createMachine } from 'xstate';

export const machine = createMachine(${configJson(machine)});
`;
  return `${printers[format](withConcurrent(machine)).join('\n')}\n`;
}

const printers: Record<Exclude<MachineFormat, 'json' | 'stately'>, (graph: MachineGraph) => string[]> = {
  mermaid: mermaidLines,
  ascii: asciiLines,
};

function configJson(machine: AnyStateMachine): string {
  return JSON.stringify(plainConfig(machine.config), null, 2);
}

/**
 * Functions (inputs, parameters, the initial context) are code, not configuration; types are for the
 * compiler.
 */
function plainConfig(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainConfig);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, entry]) => typeof entry !== 'function');
  return Object.fromEntries(entries.map(([key, entry]) => [key, plainConfig(entry)]));
}

/** https://mermaid.js.org/syntax/stateDiagram.html */
function mermaidLines({ initial, states }: MachineGraph): string[] {
  const renamed = states.filter(({ name }) => name !== identifier(name));
  return [
    'stateDiagram-v2',
    ...renamed.map(({ name }) => `  state "${name}" as ${identifier(name)}`),
    `  [*] --> ${identifier(initial)}`,
    ...states.flatMap(state => [
      ...state.arrows.map(
        arrow => `  ${identifier(state.name)} --> ${identifier(arrow.to)}: ${labelOf(state, arrow)}`,
      ),
      ...(state.final ? [`  ${identifier(state.name)} --> [*]`] : []),
    ]),
  ];
}

function identifier(name: string): string {
  return name.replace(/\W/g, '_');
}

/** `execute done [isPassed]`: the actor or event, and the guard. */
function labelOf(state: GraphState, { event, guard }: Arrow): string {
  const isActors = event === 'done' || event === 'error';
  const parts = [
    ...(isActors ? state.actors : []),
    ...(event === 'always' && guard !== '' ? [] : [event === 'always' ? 'otherwise' : event]),
    ...(guard === '' ? [] : [`[${guard}]`]),
  ];
  return parts.join(' ');
}

/**
 * One box per state with its transitions to the right; the box of a final state is drawn with `=` and `#`.
 */
function asciiLines({ id, initial, states }: MachineGraph): string[] {
  const nameWidth = Math.max(...states.map(({ name }) => name.length));
  const labelWidth = Math.max(
    0,
    ...states.flatMap(state => state.arrows.map(arrow => labelOf(state, arrow).length)),
  );
  const blocks = states.map(state => {
    const box = boxLines(state, state.name === initial, nameWidth);
    const notes = state.final ? ['', `  ${state.description}`] : ['', ...arrowLines(state, labelWidth)];
    const height = Math.max(box.length, notes.length);
    const rows = Array.from(
      { length: height },
      (_, row) => (box[row] ?? '').padEnd(nameWidth + 7) + (notes[row] ?? ''),
    );
    return rows.map(row => row.trimEnd()).join('\n');
  });
  return [id, blocks.join('\n\n')].join('\n\n').split('\n');
}

function boxLines({ name, final }: GraphState, initial: boolean, nameWidth: number): string[] {
  const [corner, edge, side] = final ? ['#', '=', '#'] : ['+', '-', '|'];
  const border = `   ${corner}${edge.repeat(nameWidth + 2)}${corner}`;
  const centred = name.padStart(Math.floor((nameWidth + name.length) / 2)).padEnd(nameWidth);
  return [border, `${initial ? '-->' : '   '}${side} ${centred} ${side}`, border];
}

function arrowLines(state: GraphState, labelWidth: number): string[] {
  const { arrows } = state;
  return arrows.map((arrow, index) => {
    const only = arrows.length === 1;
    const joint = index === 0 ? (only ? '---' : '--+') : index === arrows.length - 1 ? "  '" : '  +';
    return `${joint}-- ${labelOf(state, arrow)} ${'-'.repeat(labelWidth - labelOf(state, arrow).length)}--> ${arrow.to}`;
  });
}

/** A machine as states and transitions, for drawing. */
export interface MachineGraph {
  readonly id: string;
  /** The name of the initial state. */
  readonly initial: string;
  readonly states: readonly GraphState[];
}

interface GraphState {
  readonly name: string;
  readonly description: string;
  readonly final: boolean;
  /** The actor that runs in this state. */
  readonly actors: readonly string[];
  readonly arrows: readonly Arrow[];
}

interface Arrow {
  readonly to: string;
  /** `done` and `error` of an actor, `always`, or an event's name. */
  readonly event: string;
  /** Names of the guards; empty if there are none. */
  readonly guard: string;
  readonly actions: readonly string[];
}

/**
 * The states and transitions of a machine, read from its definition. Nested states are represented by their
 * leaves, named `parent.child`, which also have their parents' transitions. Parallel states are not
 * supported.
 */
export function machineGraph(machine: AnyStateMachine): MachineGraph {
  return {
    id: machine.id,
    initial: nameOf(firstLeaf(machine.root)),
    states: leavesOf(machine.root).map(node => ({
      name: nameOf(node),
      description: node.description ?? '',
      final: node.type === 'final',
      actors: node.invoke.map(({ src }) => String(src)),
      arrows: [...arrowsOf(node), ...parentsOf(node).flatMap(leavingArrowsOf)],
    })),
  };
}

/**
 * The graph with the states of machines that a state with children invokes, which run at the same time as these: named
 * `actor.state`. Where they end, the transitions of that state follow.
 */
function withConcurrent(machine: AnyStateMachine): MachineGraph {
  const graph = machineGraph(machine);
  const parents = nodesOf(machine.root).filter(({ states }) => Object.keys(states).length > 0);
  const invoked = parents.flatMap(parent =>
    parent.invoke.flatMap(({ src, id }) => {
      const actor: unknown = machine.implementations.actors[String(src)];
      if (!isMachine(actor)) return [];
      const { states } = machineGraph(actor);
      const named = (name: string): string => `${id}.${name}`;
      const after = leavingArrowsOf(parent).filter(({ event }) => event === 'done');
      return states.map(state => ({
        ...state,
        name: named(state.name),
        final: false,
        actors: state.final ? [String(src)] : state.actors,
        arrows: state.final ? after : state.arrows.map(arrow => ({ ...arrow, to: named(arrow.to) })),
      }));
    }),
  );
  return { ...graph, states: [...graph.states, ...invoked] };
}

function isMachine(actor: unknown): actor is AnyStateMachine {
  return typeof actor === 'object' && actor !== null && 'root' in actor;
}

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

function leavesOf(node: AnyStateNode): AnyStateNode[] {
  const children = Object.values(node.states);
  return children.length === 0 ? [node] : children.flatMap(leavesOf);
}

function firstLeaf(node: AnyStateNode): AnyStateNode {
  const target = node.initial?.target[0];
  return target ? firstLeaf(target) : node;
}

function nameOf(node: AnyStateNode): string {
  return node.path.join('.');
}

function parentsOf({ parent }: AnyStateNode): AnyStateNode[] {
  return parent ? [parent, ...parentsOf(parent)] : [];
}

function arrowsOf(node: AnyStateNode): Arrow[] {
  return arrowsBy(node, transitionsOf(node));
}

/** Without the transitions of a parent that have no target: whichever state it is in, it stays in. */
function leavingArrowsOf(parent: AnyStateNode): Arrow[] {
  return arrowsBy(
    parent,
    transitionsOf(parent).filter(({ target }) => target !== undefined),
  );
}

function transitionsOf(node: AnyStateNode): AnyStateNode['always'] & {} {
  return [...(node.always ?? []), ...[...node.transitions.values()].flat()];
}

function arrowsBy(node: AnyStateNode, transitions: AnyStateNode['always'] & {}): Arrow[] {
  return transitions.flatMap(({ eventType, guard, actions, target }) =>
    (target ?? [node]).map(to => ({
      to: nameOf(firstLeaf(to)),
      event: eventName(eventType),
      guard: guardName(guard),
      actions: actions.map(action => typeName(action)),
    })),
  );
}

function eventName(eventType: string): string {
  if (eventType === '') return 'always';
  return /^xstate\.(done|error|after)\./.exec(eventType)?.[1] ?? eventType;
}

/** Guards made with `and`, `or`, `not` have no name. */
function guardName(guard: unknown): string {
  return guard === undefined ? '' : typeName(guard);
}

function typeName(described: unknown): string {
  if (typeof described === 'string') return described;
  const { type, name } = Object(described) as { type?: unknown; name?: unknown };
  return String(type ?? name ?? 'inline');
}
