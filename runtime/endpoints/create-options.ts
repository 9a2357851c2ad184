import type { ApiContext } from '../http/context.ts';
import { negotiateInput, supportedMediaTypes } from '../http/negotiation.ts';
import { parseCreateOptions } from '../http/options/write-options.ts';

/**
 * Returns the options of a creation. Upstream negotiates the body before it reads them, so an unsupported media type is
 * reported before their mistakes. (apiserver handlers/create.go createHandler)
 *
 * @throws StatusError 400, 415, 422
 */
export function createOptionsOf(ctx: ApiContext): ReturnType<typeof parseCreateOptions> {
  try {
    return parseCreateOptions(ctx.state.query);
  } catch (error) {
    negotiateInput(ctx, supportedMediaTypes(ctx));
    throw error;
  }
}
