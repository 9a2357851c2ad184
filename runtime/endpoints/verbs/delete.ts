import { readBody } from '../../http/body.ts';
import { mediaTypes, negotiateInput, offersFor } from '../../http/negotiation.ts';
import { type DeleteOptions, parseDeleteOptions, validateDeleteOptions } from '../../http/query.ts';
import { respondBytes } from '../../http/respond.ts';
import type { Status } from '../../machinery/status.ts';
import type { Deleted, DeleteRequest } from '../../resources/delete.ts';
import { decodeObject } from '../decode-body.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { encodeStatus } from '../encode-status.ts';
import { negotiateForm } from '../forms/forms.ts';
import { respondWritten, writerOf } from '../respond-written.ts';

/** DELETE of one object: a Status when it is gone, the object while something holds it. */
export async function deleteResource(request: ResourceRequest): Promise<void> {
  const { definition, store, namespace, name } = request;
  const form = await negotiateForm(request, 'object');
  const options = await deleteOptionsOf(request);
  const writer = writerOf(request, (options.dryRun ?? []).length > 0);
  const deleted = await store.delete(definition, deleteRequest(options, namespace, name), writer);
  if (deleted.gone && !store.hooks.returnsDeleted) await respondGone(request, deleted);
  else
    await respondWritten(
      request,
      !deleted.gone && options.orphanDependents === false ? 202 : 200,
      form,
      deleted.written,
    );
}

/** DeleteOptions come in the body, in any media type, or in the query. @throws StatusError 400, 415, 422 */
export async function deleteOptionsOf({ ctx, deps }: ResourceRequest): Promise<DeleteOptions> {
  const body = await readBody(ctx);
  const options = body.length === 0 ? parseDeleteOptions(ctx.state.query) : await fromBody();
  validateDeleteOptions(options);
  return options;

  async function fromBody(): Promise<DeleteOptions> {
    const type = (await deps.registry.loadMeta()).DeleteOptions;
    const mediaType = ctx.req.headers['content-type'] ? negotiateInput(ctx, offersFor(ctx)) : mediaTypes.json;
    return decodeObject(ctx, type, body, mediaType, 'Ignore') as unknown as DeleteOptions;
  }
}

export function deleteRequest(options: DeleteOptions, namespace: string, name: string): DeleteRequest {
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = options;
  return {
    namespace,
    name,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(preconditions === undefined ? {} : { preconditions }),
  };
}

async function respondGone(request: ResourceRequest, { uid }: Deleted): Promise<void> {
  const { definition, name } = request;
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name,
      ...(definition.group === '' ? {} : { group: definition.group }),
      kind: definition.resource,
      uid,
    },
  } as Status;
  const { bytes, contentType } = await encodeStatus(request, status);
  await respondBytes(request.ctx, 200, contentType, bytes);
}
