import { Graph, layout } from '@dagrejs/dagre';
import type { AnyStateMachine } from 'xstate';
import { type MachineGraph, machineGraph } from '../../repair/machine-formats.ts';
import type { MachineDrawing, MachineDrawings } from './view-data.ts';

/** Lays out a machine from top to bottom. */
export function drawMachine(machine: AnyStateMachine): MachineDrawings {
  const graph = machineGraph(machine);
  return { usual: drawn(withoutFaults(graph)), whole: drawn(graph) };
}

/** With room for the arrows' labels, and without the state that an actor's failure leads to. */
export function drawLabelledMachine(machine: AnyStateMachine): MachineDrawing {
  return drawn(withoutFaults(machineGraph(machine)), true);
}

/** Left out: the error state crowds the drawing, and tasks rarely reach it. */
function withoutFaults(graph: MachineGraph): MachineGraph {
  const faulty = new Set(
    graph.states.flatMap(({ arrows }) => arrows.filter(({ event }) => event === 'error').map(({ to }) => to)),
  );
  const sound = graph.states.filter(({ name }) => !faulty.has(name));
  return {
    ...graph,
    states: sound.map(state => ({ ...state, arrows: state.arrows.filter(({ to }) => !faulty.has(to)) })),
  };
}

function drawn({ initial, states }: MachineGraph, hasLabels = false): MachineDrawing {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 14, ranksep: 34, edgesep: 10, marginx: 10, marginy: 10 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name } of states) graph.setNode(name, { width: widthOf(name), height: HEIGHT });
  const labels = new Map<string, { from: string; to: string; labels: string[] }>();
  for (const { name: from, arrows } of states) {
    for (const { to, event, guard } of arrows) {
      const key = JSON.stringify([from, to]);
      const arrow = labels.get(key) ?? { from, to, labels: [] };
      arrow.labels.push(guard === '' ? (event === 'always' ? 'otherwise' : event) : guard);
      labels.set(key, arrow);
    }
  }
  for (const { from, to, labels: lines } of labels.values()) {
    graph.setEdge(from, to, hasLabels ? labelSize(lines) : {});
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    initial,
    states: states.map(({ name, description, final }) => ({
      name,
      description,
      final,
      ...pointOf(graph.node(name)),
      width: widthOf(name),
      height: HEIGHT,
    })),
    arrows: [...labels.values()].map(arrow => ({
      ...arrow,
      points:
        arrow.from === arrow.to
          ? loopAt(pointOf(graph.node(arrow.from)), widthOf(arrow.from) / 2)
          : (graph.edge(arrow.from, arrow.to).points ?? []).map(pointOf),
      ...(hasLabels && { labelAt: pointOf(graph.edge(arrow.from, arrow.to)) }),
    })),
  };
}

/** To the right of a state, left of the label; the layout's own points run across other states. */
function loopAt({ x, y }: Point, halfWidth: number): Point[] {
  const right = x + halfWidth;
  return [
    { x: right, y: y - 6 },
    { x: right + 12, y: y - 13 },
    { x: right + 12, y: y + 13 },
    { x: right, y: y + 6 },
  ];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The page uses a font of 12.5 px, whose letters are at most 7.5 px wide on average. */
function widthOf(name: string): number {
  return Math.max(64, Math.round(name.length * 7.5) + 26);
}

const HEIGHT = 30;

/** The picture uses labels of 11 px, one below the other. */
function labelSize(lines: readonly string[]): { width: number; height: number; labelpos: string } {
  const longest = lines.reduce((max, { length }) => Math.max(max, length), 0);
  return { width: longest * 6.2 + 8, height: lines.length * LABEL_LINE, labelpos: 'c' };
}

export const LABEL_LINE = 14;

function pointOf({ x = 0, y = 0 }: Partial<Point>): Point {
  return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
}
