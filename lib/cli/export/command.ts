import { printable } from '../../core/text.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { exportOptions, parseExportOptions } from '../../options/tables/command-options.ts';
import { plural } from '../../report/numbers.ts';
import { csvLines, exportTable, parquetBytes } from '../../report/results/export-table.ts';
import { inProgressWarning, readFacts } from '../../report/results/fact-reader.ts';
import type { Command } from '../command.ts';
import { warningLine } from '../terminal/terminal.ts';

export const command: Command = {
  description:
    'Writes the results of one or more runs as one table, a row a record, for pandas, DuckDB or a spreadsheet. Long texts are left out.',
  operands: { usage: '<results.jsonl> …', min: 1, max: Number.POSITIVE_INFINITY },
  options: exportOptions,
  examples: [
    'hefix export results/a.jsonl --out a.csv',
    'hefix export results/a.jsonl results/b.jsonl --out runs.parquet',
  ],
  endsAtOnce: true,
  async run(input, { printResult, terminal }, paths) {
    const { out, quiet } = parseExportOptions(input);
    const runs = [];
    for (const path of paths) runs.push(await readFacts(path));
    const table = exportTable(runs);
    const content = out.endsWith('.csv') ? utf8(csvLines(table)) : await parquetBytes(table);
    await writeFileAtomic(out, content);
    const warnings = runs.filter(({ inProgress }) => inProgress).map(inProgressWarning);
    if (!quiet) {
      for (const warning of warnings) terminal.write(warningLine(terminal, warning));
      terminal.write(`${plural(table.rows, 'record')} in ${printable(out)}\n`);
    }
    printResult({ table: out, count: table.rows, warnings });
    return 0;
  },
};

async function* utf8(lines: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(line);
}
