import { respondBytes } from '../../http/respond.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { methodsAt } from '../methods.ts';

/** OPTIONS of a resource: 204, and its methods in Allow. */
export async function tellOptions({ ctx, definition, info }: ResourceRequest): Promise<void> {
  ctx.res.setHeader('Allow', [...methodsAt(definition, info)].sort().join(', '));
  await respondBytes(ctx, 204, 'application/json', new Uint8Array());
}
