import { negotiateOutput, supportedMediaTypes } from '../../http/negotiation.ts';
import { respondBytes } from '../../http/respond.ts';
import type { Status, StatusDetails } from '../../machinery/errors/status.ts';
import { ClientWriter } from '../client-writer.ts';
import { encodeStatus } from '../encodings/encode-status.ts';
import { negotiateEncoding, restrictionsFor } from '../encodings/negotiate.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { noteWritten, respondWithResult } from '../write-result.ts';
import { deleteCorrupt } from './delete-corrupt.ts';
import { deleteOptionsOf, deleteRequest } from './delete-options.ts';

/** Deletes an object, and responds with a Status if it is deleted immediately, and with the object otherwise. */
export async function deleteResource(request: ResourceRequest): Promise<void> {
  const { definition, store, namespace, name } = request;
  const encoding = await negotiateEncoding(request, 'object');
  const options = await deleteOptionsOf(request);
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential) {
    request.ctx.state.audit?.addAnnotation('apiserver.k8s.io/unsafe-delete-ignore-read-error', '');
    await deleteCorrupt(request);
    await respondSuccess(request, { name, kind: definition.kind }, 200);
    return;
  }
  store.strategy.checkDelete?.(name);
  const { deletedImmediately, uid, written } = await store.delete(
    definition,
    deleteRequest(options, namespace, name),
    ClientWriter.deleter(request, options),
  );
  noteWritten(request.ctx, written);
  if (deletedImmediately && !store.strategy.returnDeletedObject) {
    const group = definition.group === '' ? {} : { group: definition.group };
    // As upstream, `kind` is the plural.
    await respondSuccess(request, { name, ...group, kind: definition.resource, uid });
    return;
  }
  await respondWithResult(request, !deletedImmediately && options.orphanDependents === false ? 202 : 200, encoding, written);
}

/** @param code the code in the Status. Default: none */
async function respondSuccess(request: ResourceRequest, details: StatusDetails, code?: number): Promise<void> {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  const { ctx } = request;
  const mediaType = negotiateOutput(ctx, supportedMediaTypes(ctx), restrictionsFor(request));
  const { bytes, contentType } = await encodeStatus(request, (code ? { ...status, code } : status) as Status, mediaType);
  await respondBytes(ctx, 200, contentType, bytes);
}
