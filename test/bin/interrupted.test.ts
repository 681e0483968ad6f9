import { scripted, testInterrupts } from '../support/interrupted.ts';

const call = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const toServer = [
  call(1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }),
  call(2, 'tools/call', { name: 'fix_project', arguments: { path: '.', time: 100 } }),
].join('');

/** The others are in interrupted.long.test.ts. */
testInterrupts({
  run: { args: ['run', ...scripted, '--dataset', 'endless.jsonl', '--timeout', '600'], after: 2500 },
  fix: { args: ['fix', '.', '--no-rank', '--time', '600'], cwd: 'long', after: 4000 },
  exec: {
    args: [
      ...['exec', '--code', 'endless.py', '--tests', 'endless_test.py'],
      ...['--entry-point', 'f', '--timeout', '600'],
    ],
    after: 1500,
  },
  mcp: {
    args: ['mcp', '--allow', '.', '--no-rank'],
    cwd: 'endless',
    input: toServer,
    after: 3000,
    exitCode: 0,
  },
});
