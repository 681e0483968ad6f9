import { readdirSync, readFileSync } from 'node:fs';

/** The packages that most commands load; they become part of the command line. */
const bundled = ['cac', 'leven', 'p-limit', 'picocolors', 'yocto-queue', 'zod'];

/** The command line as few files, so that a command starts sooner. */
const config = {
  input: 'bin/hefix.ts',
  platform: 'node',
  external: name => /^[@a-z]/.test(name) && !bundled.includes(name.split('/')[0]),
  output: {
    dir: 'dist/bin',
    chunkFileNames: 'chunks/[name].js',
    // Each with what its modules import, unless an earlier one has it: `--version` needs the first alone, and every
    // other command the second.
    codeSplitting: {
      groups: [
        { name: 'versions', test: /\/lib\/files\/versions\.ts$/ },
        {
          name: 'command-line',
          test: /\/(bin\/(run-command|debugging)|lib\/options\/(command-options|config-file)|lib\/run\/export-spans)\.ts$/,
        },
        { name: 'python-sandbox', test: /\/python-sandbox\.ts$/ },
      ],
    },
    postBanner: ({ modules }) =>
      bundled
        .filter(name => Object.keys(modules).some(path => path.includes(`/node_modules/${name}/`)))
        .map(name => `/* ${name}\n\n${licenseOf(`node_modules/${name}`)}*/`)
        .join('\n'),
  },
};

function licenseOf(folder) {
  const name = readdirSync(folder).find(name => /^licen[cs]e/i.test(name));
  return readFileSync(`${folder}/${name}`, 'utf8');
}

export default config;
