import type { AnyStateMachine } from 'xstate';
import { type Arrow, type GraphState, type MachineGraph, machineGraph } from './machine-graph.ts';

export const machineFormats = ['mermaid', 'json', 'dot', 'ascii'] as const;
export type MachineFormat = (typeof machineFormats)[number];

/**
 * A machine as text: a Mermaid state diagram, the machine's configuration as JSON (what Stately's
 * editor and XState's `createMachine` take), a Graphviz graph, or a drawing for the terminal.
 */
export function formatMachine(machine: AnyStateMachine, format: MachineFormat): string {
  if (format === 'json') return `${JSON.stringify(plainConfig(machine.config), null, 2)}\n`;
  return `${printers[format](machineGraph(machine)).join('\n')}\n`;
}

const printers: Record<Exclude<MachineFormat, 'json'>, (graph: MachineGraph) => string[]> = {
  mermaid: mermaidLines,
  dot: dotLines,
  ascii: asciiLines,
};

/** Functions (inputs, parameters, the first context) are code, not configuration; types are for the compiler. */
function plainConfig(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainConfig);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, entry]) => typeof entry !== 'function');
  return Object.fromEntries(kept.map(([key, entry]) => [key, plainConfig(entry)]));
}

/** https://mermaid.js.org/syntax/stateDiagram.html */
function mermaidLines({ initial, states }: MachineGraph): string[] {
  return [
    'stateDiagram-v2',
    `  [*] --> ${identifier(initial)}`,
    ...states.flatMap(state => [
      ...(state.name === identifier(state.name)
        ? []
        : [`  state "${state.name}" as ${identifier(state.name)}`]),
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

/** https://graphviz.org/doc/info/lang.html */
function dotLines({ id, initial, states }: MachineGraph): string[] {
  const quoted = JSON.stringify;
  return [
    `digraph ${quoted(id)} {`,
    '  rankdir=TB;',
    '  node [shape=box, style=rounded, fontname="Helvetica", fontsize=12];',
    '  edge [fontname="Helvetica", fontsize=10];',
    '  start [shape=point, width=0.15];',
    `  start -> ${quoted(initial)};`,
    ...states.flatMap(state => [
      `  ${quoted(state.name)} [tooltip=${quoted(state.description)}${state.final ? ', peripheries=2' : ''}];`,
      ...state.arrows.map(
        arrow =>
          `  ${quoted(state.name)} -> ${quoted(arrow.to)} [label=${quoted(` ${labelOf(state, arrow)} `)}${arrow.event === 'error' ? ', style=dashed' : ''}];`,
      ),
    ]),
    '}',
  ];
}

/** `generate done [isPassed]`: which actor or event, and what must hold. */
function labelOf(state: GraphState, { event, guard }: Arrow): string {
  const isActors = event === 'done' || event === 'error';
  const words = [
    ...(isActors ? state.actors : []),
    ...(event === 'always' && guard !== '' ? [] : [event === 'always' ? 'otherwise' : event]),
    ...(guard === '' ? [] : [`[${guard}]`]),
  ];
  return words.join(' ');
}

/** One box a state, its arrows to the right of it. */
function asciiLines({ id, initial, states }: MachineGraph): string[] {
  const boxWidth = Math.max(...states.map(({ name }) => name.length)) + 2;
  const labels = states.flatMap(state => state.arrows.map(arrow => labelOf(state, arrow).length));
  const arrowWidth = Math.max(0, ...labels) + 4;
  return [
    id,
    '',
    ...states.flatMap(state => [...boxLines(state, state.name === initial, boxWidth, arrowWidth), '']),
  ].slice(0, -1);
}

function boxLines(state: GraphState, initial: boolean, boxWidth: number, arrowWidth: number): string[] {
  const { name, description, final, arrows } = state;
  const border = ` ${final ? '#' : '+'}${(final ? '=' : '-').repeat(boxWidth)}${final ? '#' : '+'}`;
  const side = final ? '#' : '|';
  const left = Math.floor((boxWidth - name.length) / 2);
  const label = `${' '.repeat(left)}${name}`.padEnd(boxWidth);
  const height = Math.max(3, arrows.length + 1);
  return Array.from({ length: height }, (_, row) => {
    const box =
      row === 0 || row === 2
        ? `  ${border}`
        : row === 1
          ? `${initial ? '-->' : '   '}${side}${label}${side}`
          : '';
    const arrow = arrows[row - 1];
    if (!arrow) return row === 1 && final ? `${box}  ${description}`.trimEnd() : box.trimEnd();
    const joint = row === 1 ? (arrows.length > 1 ? '--+' : '---') : row === arrows.length ? "  '" : '  +';
    const text = `-- ${labelOf(state, arrow)} `.padEnd(arrowWidth, '-');
    return `${box.padEnd(boxWidth + 5)}${joint}${text}--> ${arrow.to}`;
  });
}
