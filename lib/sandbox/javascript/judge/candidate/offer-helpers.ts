import type { Peer } from '../../realm/peer.ts';
import { addHelper, type SharedHelpers } from '../../realm/share-helpers.ts';
import { intrinsics } from './own-realm.ts';

/** Tells the candidate what the task declares; returns the objects that both sides have now. */
export function offerHelpers(helpers: object, peer: Peer): ReadonlySet<object> {
  const all = Object.entries(helpers) as [string, unknown][];
  const objects = all.filter(
    (entry): entry is [string, object] => typeof entry[1] === 'object' && entry[1] !== null,
  );
  const functions = all.filter((entry): entry is [string, object] => typeof entry[1] === 'function');
  if (objects.length + functions.length === 0) return new Set();
  const offer: SharedHelpers = {
    functions: functions.map(([name, value]) => ({ name, isPrivate: hasPrivateFields(value) })),
    objects: objects.map(([name, value]) => ({ name, id: peer.offer(value) })),
  };
  const accepted = String(peer.ask({ op: 'share', graph: peer.encode([JSON.stringify(offer)]) })).split(',');
  for (const [name, value] of functions)
    if (accepted.includes(name) && !hasPrivateFields(value)) addHelper(intrinsics, name, value);
  return new Set(objects.map(([, value]) => value));
}

/** Whether a class, or one that it extends, has fields that other code cannot read. */
function hasPrivateFields(maker: unknown): boolean {
  if (typeof maker !== 'function') return false;
  const source = String(maker);
  return (
    (source.startsWith('class') && /#[\w$]/.test(source)) || hasPrivateFields(Object.getPrototypeOf(maker))
  );
}
