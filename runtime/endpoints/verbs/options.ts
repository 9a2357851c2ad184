import { respondBytes } from '../../http/respond.ts';
import { methodsAt } from '../methods.ts';
import type { ResourceRequest } from '../resource-request.ts';

/** OPTIONS of a resource: 204, and its methods in Allow. */
export function tellOptions({ ctx, definition, info }: ResourceRequest): void | Promise<void> {
  ctx.res.setHeader('Allow', [...methodsAt(definition, info)].sort().join(', '));
  return respondBytes(ctx, 204, 'application/json', new Uint8Array());
}
