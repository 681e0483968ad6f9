import { readFileSync } from 'node:fs';

const zod = 'node_modules/zod/';

/**
 * The command line as few files, so that a command starts sooner. Of the packages only zod is part of it: it would
 * load a file for each of its languages.
 */
const config = {
  input: 'bin/hefix.ts',
  platform: 'node',
  external: name => /^[@a-z]/.test(name) && !/^zod(\/|$)/.test(name),
  output: {
    dir: 'dist/bin',
    chunkFileNames: 'chunks/[name].js',
    postBanner: ({ modules }) =>
      Object.keys(modules).some(path => path.includes(zod))
        ? `/*\n${readFileSync(`${zod}LICENSE`, 'utf8')}*/`
        : '',
  },
};

export default config;
