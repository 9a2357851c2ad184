import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { ResponseEncoding } from '../encodings/response-encoding.ts';

interface LastFrame {
  readonly type: string;
  readonly stored: StoredObject;
  readonly frame: Uint8Array;
}

/** The last frame of each encoding suffices, because an event is sent to all its watchers before the next one. */
const lastFrames = new WeakMap<ResponseEncoding, LastFrame>();

/** Returns the frame of an event, encoded once for all watchers with the same encoding. */
export function frameOf(
  encoding: ResponseEncoding,
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  stored: StoredObject,
  first: boolean,
): Uint8Array {
  if (first) return encoding.encodeEvent(type, stored, true);
  const last = lastFrames.get(encoding);
  if (last !== undefined && last.stored === stored && last.type === type) return last.frame;
  const frame = encoding.encodeEvent(type, stored, false);
  lastFrames.set(encoding, { type, stored, frame });
  return frame;
}
