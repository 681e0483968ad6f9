import { createInterface } from 'node:readline/promises';
import { HefixError } from '../../core/errors.ts';
import { printable } from '../../core/printable.ts';
import { parseTrustOptions, trustOptions } from '../../options/tables/trust-options.ts';
import type { Command } from '../command.ts';

export const trustCommand: Command = {
  description:
    'Lets the files of a folder (hefix.config.json, the key hefix of package.json, .env) set every option and variable, until one of them changes. Shows what they set and asks first.',
  operands: { usage: '[folder]', min: 0, max: 1 },
  options: trustOptions,
  examples: ['hefix trust', 'hefix trust --list', 'hefix trust --remove ~/projects/stats'],
  async run(given, io, [named = '.']) {
    const { list, remove } = parseTrustOptions(given);
    const { forgetFolder, trustedFolders } = await import('../../trust/trusted-folders.ts');
    const { folderTrust, trustedText } = await import('./trust.ts');
    if (list) {
      io.print(trustedText(trustedFolders(process.env)));
      return 0;
    }
    if (remove) {
      const wasTrusted = await forgetFolder(named, process.env);
      io.print(`${printable(named)} ${wasTrusted ? 'is no longer' : 'was not'} trusted.`);
      return 0;
    }
    const trust = folderTrust(named, process.env);
    const folder = printable(trust.folder);
    if (trust.isTrusted) {
      io.print(`${folder} is trusted already.`);
      return 0;
    }
    if (trust.needing.length === 0) {
      io.print(`The files of ${folder} set nothing that needs trust.`);
      return 0;
    }
    if (!process.stdin.isTTY) throw trustNeedsTerminal();
    io.terminal.write(`The files of ${folder} set:\n${trust.needing.map(line => `  ${line}\n`).join('')}`);
    if (!(await isConfirmed('Trust them until they change? [y/N] ', io.signal))) {
      io.print(`${folder} is not trusted.`);
      return 1;
    }
    await trust.confirm(new Date());
    io.print(`${folder} is trusted. hefix trust --remove takes it back.`);
    return 0;
  },
};

async function isConfirmed(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(question, { signal })).trim());
  } finally {
    lines.close();
  }
}

function trustNeedsTerminal(): HefixError {
  return new HefixError(
    'TRUST_NEEDS_TERMINAL',
    'hefix trust asks for confirmation, and standard input is no terminal.',
    'Run it yourself in a terminal; scripts can give options on the command line.',
  );
}
