import { execaSync } from 'execa';
import { packageFile } from '../../lib/files/package.ts';

/**
 * Many tests start the compiled command line: it is built from the current sources, so it is never stale. JavaScript is
 * judged by many at once: what it needs is compiled before.
 */
export function setup(): void {
  if (process.env.HEFIX_BUILT === '1') return;
  execaSync('npm', ['run', '--silent', 'build'], { cwd: packageFile('.'), stdio: 'inherit' });
  execaSync('node', [packageFile('fixtures/package/compile-isolated-vm.mjs')], { stdio: 'inherit' });
}
