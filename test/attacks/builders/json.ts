import type { Attack, Request } from '../harness/attack.ts';
import { dry, type Target } from './targets.ts';

export const jsonType = { 'content-type': 'application/json' };

/** Returns an object of the target as JSON, with raw members after its own. */
export function objectText(target: Target, members = '', metadata = ''): string {
  const own = JSON.stringify(target.members).slice(1, -1);
  const tail = (text: string): string => (text === '' ? '' : `,${text}`);
  return `{"metadata":{"name":"${target.object}"${tail(metadata)}},${own}${tail(members)}}`;
}

/** Returns the request that creates the object. */
export function create(target: Target, body: string | Uint8Array, more = '', type = 'application/json'): Request {
  return { method: 'POST', path: dry(target.path, more), headers: { 'content-type': type }, body };
}

/** Returns the row for an object with raw members. */
export function creation(name: string, target: Target, members: () => string, codes: readonly number[], message?: string | RegExp): Attack {
  return { name, send: () => create(target, objectText(target, members())), codes, message };
}
