import type { ResourceRequest } from '../resource-request.ts';
import { getResource } from '../verbs/get.ts';
import { patchPart } from '../verbs/patch.ts';
import { updatePart } from '../verbs/update.ts';

/** Reads the whole object; writes only its status. */
export async function statusSubresource(request: ResourceRequest): Promise<void> {
  switch (request.info.verb) {
    case 'get':
      return getResource(request);
    case 'update':
      return updatePart(request, 'status');
    default:
      return patchPart(request, 'status');
  }
}

/** Handles finalize, approval, ephemeralcontainers and resize, whose strategies decide what a write may change. */
export async function wholeSubresource(request: ResourceRequest): Promise<void> {
  switch (request.info.verb) {
    case 'get':
      return getResource(request);
    case 'update':
      return updatePart(request, 'all');
    default:
      return patchPart(request, 'all');
  }
}
