import type { Attack, Request } from '../harness/attack.ts';
import { dry, type Target } from './targets.ts';

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Returns the row for a patch of the target's object that must have no effect. */
export function patch(
  kind: keyof typeof types,
  target: Target,
  name: string,
  body: () => string,
  codes: readonly number[],
  message?: string | RegExp,
): Attack {
  const send = (): Request => ({
    method: 'PATCH',
    path: dry(`${target.path}/${target.object}`, '&fieldManager=attacks'),
    headers: { 'content-type': types[kind] },
    body: body(),
  });
  return { name: `${target.name}, ${kind}: ${name}`, send, codes, message };
}
