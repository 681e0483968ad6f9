import type { MachineDrawing } from '../../view-data.ts';

/** Passes through the midpoints between the points, so that corners are round. */
export function curve(points: MachineDrawing['arrows'][number]['points']): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (first === undefined || last === undefined) return '';
  const bends = rest.map((point, index) => {
    const next = rest[index + 1];
    const end = next === undefined ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return `M${first.x} ${first.y}${bends.length > 0 ? bends.join('') : `L${last.x} ${last.y}`}`;
}
