/** Loads the project's modules again in each run, by adding the run's number to their URLs. */

let root = '';

export function initialize(data) {
  root = data.root;
}

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const run = /[?&]hefix=(\d+)/.exec(context.parentURL ?? '')?.[1];
  const isOwn = found.url.startsWith(root) && !found.url.includes('/node_modules/');
  if (run === undefined || !isOwn || /[?&]hefix=/.test(found.url)) return found;
  return { ...found, url: `${found.url}${found.url.includes('?') ? '&' : '?'}hefix=${run}` };
}
