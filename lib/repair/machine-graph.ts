import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** A machine as states and transitions, for drawing. */
export interface MachineGraph {
  readonly id: string;
  /** The name of the initial state. */
  readonly initial: string;
  readonly states: readonly GraphState[];
}

export interface GraphState {
  readonly name: string;
  readonly description: string;
  readonly final: boolean;
  /** The actor that runs in this state. */
  readonly actors: readonly string[];
  readonly arrows: readonly Arrow[];
}

export interface Arrow {
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
      arrows: withParents(node).flatMap(arrowsOf),
    })),
  };
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

function withParents(node: AnyStateNode): AnyStateNode[] {
  return node.parent ? [node, ...withParents(node.parent)] : [node];
}

function arrowsOf(node: AnyStateNode): Arrow[] {
  const transitions = [...(node.always ?? []), ...[...node.transitions.values()].flat()];
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
