import type { EndpointRestrictions } from '../../codec/media-type.ts';
import { metaVersionOf } from '../../codec/partial-metadata.ts';
import { negotiateOutput, offersFor } from '../../http/negotiation.ts';
import { parseCreateOptions } from '../../http/options/write-options.ts';
import { respondBytes } from '../../http/respond.ts';
import { bindPod } from '../../kinds/core/pod/binding.ts';
import { evictPod } from '../../kinds/core/pod/eviction.ts';
import { pathNotFound, type Status } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { SubresourceDefinition } from '../../machinery/resource.ts';

import type { WriteContext } from '../../resources/rest.ts';
import { decodeBody } from '../decode-body.ts';
import { encodeStatus } from '../encodings/encode-status.ts';
import { checkNamespace } from '../namer.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { writerOf } from '../write-result.ts';

type Act = (body: KubeObject, name: string, context: WriteContext) => Promise<KubeObject>;

/** There are no tables of actions. */
const actions: EndpointRestrictions = {
  allowsTransform: (_mediaType, target) =>
    target === undefined ||
    (metaVersionOf(target) !== undefined &&
      ['PartialObjectMetadata', 'PartialObjectMetadataList'].includes(target.kind)),
};

/** POST of a kind of its own to an object, which is acted on: 201 with a Status. */
const acting =
  (act: Act) =>
  async (request: ResourceRequest, { type }: SubresourceDefinition): Promise<void> => {
    const { ctx, store, definition, namespace, name } = request;
    if (type === undefined) throw pathNotFound();
    const mediaType = negotiateOutput(ctx, offersFor(ctx), actions);
    const options = parseCreateOptions(ctx.state.query);
    const body = await decodeBody(ctx, type, options.fieldValidation);
    checkNamespace(request, body);
    type.setDefaults(body);
    const context = store.context(definition, namespace, writerOf(request, options.dryRun));
    const status = (await act(body, name, context)) as unknown as Status;
    const { bytes, contentType } = await encodeStatus(request, status, mediaType);
    await respondBytes(ctx, 201, contentType, bytes);
  };

export const bindingSubresource = acting(bindPod);
export const evictionSubresource = acting(evictPod);
