import type { AnyStateMachine } from 'xstate';
import { text } from '../charts/text-and-tables.ts';
import { type Theme, themes } from '../charts/theme.ts';
import { escaped, loadTypeSetting } from '../charts/type-setting.ts';
import { drawLabelledMachine, LABEL_LINE } from './draw-machine.ts';
import { curve } from './page/data/curve.ts';
import type { MachineDrawing } from './view-data.ts';

/**
 * Draws a machine as SVG with text as outlines, or as PNG with two pixels per SVG unit.
 */
export async function machinePicture(
  machine: AnyStateMachine,
  format: 'svg' | 'png',
): Promise<string | Uint8Array> {
  const setting = await loadTypeSetting();
  const svg = machineSvg(drawLabelledMachine(machine), themes.light);
  return format === 'png' ? setting.png(svg, 2) : titled(setting.outlined(svg), machine.id);
}

function machineSvg(drawing: MachineDrawing, theme: Theme): string {
  const { initial, states, arrows } = drawing;
  const [width, height] = [Math.max(drawing.width, NOTE_WIDTH), drawing.height + 24];
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}>`,
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.6L8 4L0 7.4z" fill="${theme.muted}"/></marker></defs>`,
    `<rect width="${width}" height="${height}" fill="${theme.card}"/>`,
    ...arrows.map(
      ({ points }) =>
        `<path d="${curve(points)}" fill="none" stroke="${theme.muted}" stroke-width="1.2" marker-end="url(#head)"/>`,
    ),
    ...arrows.map(arrow => labelsSvg(arrow, theme)),
    ...states.map(state => stateSvg(state, state.name === initial, theme)),
    text(NOTE, 12, height - 12, 11, theme.muted),
    '</svg>',
  ].join('\n');
}

const NOTE = 'Not drawn: from each state with an actor, its failure leads to error.';
const NOTE_WIDTH = 400;

/** The arrow's guards or events, outlined to stay readable where arrows cross. */
function labelsSvg({ labels, labelAt }: MachineDrawing['arrows'][number], theme: Theme): string {
  if (labelAt === undefined) return '';
  const top = labelAt.y - (labels.length * LABEL_LINE) / 2;
  return labels
    .map((label, line) => {
      const base = top + line * LABEL_LINE + 10.5;
      const halo = `stroke="${theme.card}" stroke-width="3" stroke-linejoin="round"`;
      const svg = centred(label, labelAt.x, base, 11, theme.muted);
      return `${svg.replace('<text ', `<text ${halo} `)}\n${svg}`;
    })
    .join('\n');
}

/** Final states are round; the initial state has a thicker border. */
function stateSvg(
  { name, final, x, y, width, height }: MachineDrawing['states'][number],
  isFirst: boolean,
  theme: Theme,
): string {
  const frame = `x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}"`;
  const border = `stroke="${isFirst ? theme.first : theme.muted}" stroke-width="${isFirst ? 2.5 : 1.2}"`;
  const box = `<rect ${frame} rx="${final ? height / 2 : 7}" fill="${theme.background}" ${border}/>`;
  return `${box}\n${centred(name, x, y + 4.2, 12.5, theme.text)}`;
}

function centred(content: string, x: number, base: number, size: number, color: string): string {
  return text(content, x, base, size, color).replace('text-anchor="start"', 'text-anchor="middle"');
}

function titled(svg: string, id: string): string {
  return svg.replace(
    /^<svg [^>]*>/,
    opening => `${opening}\n<title>The agent’s machine ${escaped(id)}</title>`,
  );
}
