import { runInNewContext } from 'node:vm';
import * as realm from '../../realm/intrinsics.ts';

const names: string[] = runInNewContext('Object.getOwnPropertyNames(globalThis)');

/** This process's builtins. What Node adds to the language's names is left out: reading it loads Node's modules. */
export const intrinsics: realm.Intrinsics = { ...realm, prototypes: realm.prototypesOf(names) };
