import type { SubresourceDefinition } from '../../machinery/resource.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { createSubresource } from './create.ts';
import { scaleSubresource } from './scale.ts';
import { statusSubresource, wholeSubresource } from './status.ts';
import { tokenSubresource } from './token.ts';

export type SubresourceHandler = (request: ResourceRequest, subresource: SubresourceDefinition) => Promise<void>;

/** By name, or by resource and name if several resources use a name differently. connect.ts handles those that connect. */
export const subresourceHandlers: Readonly<Record<string, SubresourceHandler>> = {
  status: statusSubresource,
  scale: scaleSubresource,
  finalize: wholeSubresource,
  approval: wholeSubresource,
  ephemeralcontainers: wholeSubresource,
  resize: wholeSubresource,
  binding: createSubresource,
  eviction: createSubresource,
  token: tokenSubresource,
};
