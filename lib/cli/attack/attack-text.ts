import { printable } from '../../core/printable.ts';
import type { AttackRun } from './attack.ts';

/** A judge's results on the attacks as a text table; whole lines. */
export function attackText({ judge, classes, total, problems, leftOut }: AttackRun): string {
  const header = [
    '',
    'attacks',
    'forged',
    'held',
    'refused',
    'no effect',
    'honest',
    'right',
    'wrong',
    'refused',
    'no verdict',
  ];
  const row = (name: string, count: AttackRun['total']) => [
    name,
    ...(count.attacks === 0
      ? ['', '', '', '', '']
      : [count.attacks, count.forged, count.held, count.declined, count.without_effect]
    ).map(String),
    ...(count.honest === 0 ? ['', '', '', ''] : [count.honest, count.right, count.wrong, count.refused]).map(
      String,
    ),
    count.none === 0 ? '' : String(count.none),
  ];
  const rows = [header, ...classes.map(one => row(`${one.language} ${one.class}`, one)), row('all', total)];
  const widths = header.map((_, column) => Math.max(...rows.map(cells => cells[column]?.length ?? 0)));
  const table = rows.map(cells =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [
    ...table,
    '',
    ...problems.map(({ id, fault, message }) => `${fault}: ${id} (${printable(message)})`),
    ...(problems.length === 0 ? [] : ['']),
    ...(leftOut === 0
      ? []
      : [`${leftOut} programs that could harm this system were left out; --all runs them.`]),
    `${printable(judge)}: ${total.forged} of ${total.attacks} attacks forged a verdict. ` +
      `${total.held} that a plain judge falls for were held, ${total.declined} were refused, ` +
      `${total.without_effect} have no effect on a plain judge either${notCompared(total)}. ` +
      `Of ${total.honest} honest programs ${total.right} were judged right, ${total.wrong} wrong, ${total.refused} refused.`,
  ]
    .map(line => `${line}\n`)
    .join('');
}

function notCompared({ not_compared }: AttackRun['total']): string {
  return not_compared === 0 ? '' : `, ${not_compared} could not be compared with one`;
}
