/** The features that few runs use. Each is one folder, its tests and one line here: everything else works without it. */
export { attack } from './attack/extra.ts';
export { compiled } from './compiled/extra.ts';
export { completion } from './completion/extra.ts';
export { docker } from './docker/extra.ts';
export { mcp } from './mcp/extra.ts';
export { sweep } from './sweep/extra.ts';
