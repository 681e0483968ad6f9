import { Script } from 'node:vm';

/** Whether a name can be read as a variable. */
export function isIdentifier(name: string): boolean {
  try {
    new Script(`(${name})`);
    return /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name);
  } catch {
    return false;
  }
}
