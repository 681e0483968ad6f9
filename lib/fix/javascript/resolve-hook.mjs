/** Loads the project's modules again in each run, by adding the run's number to their URLs. */

let root = '';

export function initialize(data) {
  root = data.root;
}

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const run = /[?&]hefix=(\d+)/.exec(context.parentURL ?? '')?.[1];
  const isOwn = resolved.url.startsWith(root) && !resolved.url.includes('/node_modules/');
  if (run === undefined || !isOwn || /[?&]hefix=/.test(resolved.url)) return resolved;
  return { ...resolved, url: `${resolved.url}${resolved.url.includes('?') ? '&' : '?'}hefix=${run}` };
}
