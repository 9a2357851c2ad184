import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { ResponseEncoding } from '../encodings/response-encoding.ts';

interface Held {
  readonly type: string;
  readonly stored: StoredObject;
  readonly frame: Uint8Array;
}

/** The last frame made in each encoding: an event goes to all its watchers before the next one comes. */
const lastFrames = new WeakMap<ResponseEncoding, Held>();

/** The frame of an event, encoded once for all watchers that share a encoding. */
export function frameOf(
  encoding: ResponseEncoding,
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  stored: StoredObject,
  first: boolean,
): Uint8Array {
  if (first) return encoding.encodeEvent(type, stored, true);
  const held = lastFrames.get(encoding);
  if (held !== undefined && held.stored === stored && held.type === type) return held.frame;
  const frame = encoding.encodeEvent(type, stored, false);
  lastFrames.set(encoding, { type, stored, frame });
  return frame;
}
