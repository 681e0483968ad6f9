export * from './errors.ts';
export * from './ports.ts';
export * from './task.ts';
export * from './verdict.ts';
