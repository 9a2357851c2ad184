import { readBody } from '../../http/body.ts';
import { mediaTypes, negotiateInput, supportedMediaTypes } from '../../http/negotiation.ts';
import { parseDeleteOptions } from '../../http/options/delete-options.ts';
import { metaType } from '../../machinery/catalog.ts';
import { type DeleteOptions, validateDeleteOptions } from '../../machinery/delete-options.ts';
import { defined } from '../../machinery/json/defined.ts';
import { fromUnstructured, unstructuredContent } from '../../machinery/object.ts';
import type { DeleteRequest } from '../../resources/rest.ts';
import { logRequestObject } from '../audit.ts';
import { decodeObject } from '../decode-body.ts';
import type { ResourceRequest } from '../resource-request.ts';

/**
 * Returns the DeleteOptions in the body, in any media type, or those in the query if there is no body. The option about
 * corrupt objects counts only if its feature gate is enabled. Warns if the strategy does about options that say too little.
 *
 * @throws StatusError 400, 413, 415, 422
 */
export async function deleteOptionsOf(request: ResourceRequest): Promise<DeleteOptions> {
  const { ctx, scope, store } = request;
  const body = await readBody(ctx);
  const { ignoreStoreReadErrorWithClusterBreakingPotential: unsafe, ...others } =
    body.length === 0 ? parseDeleteOptions(ctx.state.query) : await fromBody();
  const options: DeleteOptions =
    scope.unsafeDeletion && unsafe ? { ...others, ignoreStoreReadErrorWithClusterBreakingPotential: true } : others;
  validateDeleteOptions(options);
  const { deletionWarning } = store.strategy;
  if (deletionWarning !== undefined && !saysWhatHappensToDependents(options)) ctx.state.addWarnings(deletionWarning);
  return options;

  async function fromBody(): Promise<DeleteOptions> {
    const type = metaType(await scope.registry.loadMeta(), 'DeleteOptions');
    const mediaType = ctx.req.headers['content-type'] ? negotiateInput(ctx, supportedMediaTypes(ctx)) : mediaTypes.json;
    const options = decodeObject(ctx, type, { bytes: body, mediaType }, 'Ignore');
    logRequestObject(request, options);
    return fromUnstructured<DeleteOptions>(unstructuredContent(options));
  }
}

const saysWhatHappensToDependents = ({ propagationPolicy, orphanDependents }: DeleteOptions): boolean =>
  propagationPolicy !== undefined || orphanDependents !== undefined;

/** Returns the request for the store. */
export function deleteRequest(options: DeleteOptions, namespace: string, name: string): DeleteRequest {
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = options;
  return {
    namespace,
    name,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: Math.min(Number(gracePeriodSeconds), Number.MAX_SAFE_INTEGER) }),
    ...defined({ propagationPolicy, orphanDependents, preconditions }),
  };
}
