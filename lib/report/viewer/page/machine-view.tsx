import type { Step } from '../../../core/attempt.ts';
import type { MachineDrawing } from '../view-data.ts';
import { curve } from './data/curve.ts';
import { seconds } from './data/format.ts';
import { type PathPart, stepWords } from './data/path-parts.ts';

interface Props {
  readonly drawing: MachineDrawing | undefined;
  readonly path: readonly string[];
  /** The same states with times and counts; absent in older records. */
  readonly steps: readonly Step[] | undefined;
  /** The states of the selected attempt; null if unknown. */
  readonly part: PathPart | null;
}

/** The agent's machine with the path that the task took, and the visited states in order. */
export function MachineView({ drawing, path, steps = [], part }: Props) {
  const inPart = (index: number) => part !== null && index >= part.start && index < part.end;
  return (
    <section class="card machine">
      <h2>Path</h2>
      {drawing && <Drawing {...{ drawing, path, inPart }} />}
      <ol class="path">
        {path.map((state, index) => (
          <li key={index} class={inPart(index) ? 'now' : ''}>
            {state}
            <StepFacts step={steps[index]} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The time of a step that took any, and what it counted. */
function StepFacts({ step }: { readonly step: Step | undefined }) {
  const words = step ? stepWords(step) : '';
  const time = step && step.seconds >= 0.001 ? seconds(step.seconds) : '';
  if (words === '' && time === '') return null;
  return <small class="muted"> {[words, time].filter(Boolean).join(', ')}</small>;
}

interface DrawingProps {
  readonly drawing: MachineDrawing;
  readonly path: readonly string[];
  readonly inPart: (index: number) => boolean;
}

function Drawing({ drawing, path, inPart }: DrawingProps) {
  const { width, height, states, arrows } = drawing;
  const visits = (name: string) => path.filter(state => state === name).length;
  const stateClass = (name: string) => {
    if (path.some((state, index) => state === name && inPart(index))) return 'now';
    return path.includes(name) ? 'visited' : '';
  };
  /**
   * An arrow belongs to the attempt that leads along it, including the arrow to the next attempt's first
   * state.
   */
  const arrowClass = (from: string, to: string) => {
    const taken = path.flatMap((state, index) => (state === from && path[index + 1] === to ? [index] : []));
    if (taken.some(inPart)) return 'now';
    return taken.length > 0 ? 'visited' : '';
  };
  const order = ['', 'visited', 'now'];
  const layered = arrows
    .map(arrow => ({ ...arrow, kind: arrowClass(arrow.from, arrow.to) }))
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  return (
    <svg
      class="drawing"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={`The machine; the task went ${path.join(', ')}`}
    >
      <defs>
        {order.map(kind => (
          <marker
            key={kind}
            id={`head-${kind}`}
            class={`head ${kind}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0.6L8 4L0 7.4z" />
          </marker>
        ))}
      </defs>
      {layered.map(({ from, to, labels, points, kind }) => (
        <path
          key={`${from} ${to}`}
          class={`arrow ${kind}`}
          d={curve(points)}
          marker-end={`url(#head-${kind})`}
        >
          <title>{`${from} → ${to}: ${labels.join(', ')}`}</title>
        </path>
      ))}
      {states.map(({ name, description, final, x, y, width, height }) => (
        <g key={name} class={`state ${stateClass(name)} ${final ? `final ${name}` : ''}`}>
          <title>{description}</title>
          <rect
            x={x - width / 2}
            y={y - height / 2}
            width={width}
            height={height}
            rx={final ? height / 2 : 7}
          />
          <text x={x} y={y + 4.2} text-anchor="middle">
            {name}
          </text>
          {visits(name) > 1 && (
            <g class="visits">
              <circle cx={x + width / 2} cy={y - height / 2} r="8.5" />
              <text x={x + width / 2} y={y - height / 2 + 3.4} text-anchor="middle">
                {visits(name)}
              </text>
            </g>
          )}
        </g>
      ))}
    </svg>
  );
}
