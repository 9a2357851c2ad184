import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { ResponseEncoding } from '../encodings/response-encoding.ts';

interface Held {
  readonly type: string;
  readonly stored: StoredObject;
  readonly frame: Uint8Array;
}

/** The last frame made in each form: an event goes to all its watchers before the next one comes. */
const lastFrames = new WeakMap<ResponseEncoding, Held>();

/** The frame of an event, encoded once for all watchers that share a form. */
export function frameOf(
  form: ResponseEncoding,
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  stored: StoredObject,
  first: boolean,
): Uint8Array {
  if (first) return form.frame(type, stored, true);
  const held = lastFrames.get(form);
  if (held !== undefined && held.stored === stored && held.type === type) return held.frame;
  const frame = form.frame(type, stored, false);
  lastFrames.set(form, { type, stored, frame });
  return frame;
}
