import type { ApiContext } from '../http/context.ts';
import { negotiateInput, supportedMediaTypes } from '../http/negotiation.ts';
import { parseCreateOptions } from '../http/options/write-options.ts';

/**
 * Returns the options of a creation, whose media type is checked first. (apiserver handlers/create.go createHandler)
 *
 * @throws StatusError 400, 415, 422
 */
export function createOptionsOf(ctx: ApiContext): ReturnType<typeof parseCreateOptions> {
  negotiateInput(ctx, supportedMediaTypes(ctx));
  return parseCreateOptions(ctx.state.query);
}
