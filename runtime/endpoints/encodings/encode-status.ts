import { encodeJson } from '../../codec/json.ts';
import type { MediaType } from '../../codec/media-type.ts';
import { encodeEnvelope } from '../../codec/protobuf.ts';
import { mediaTypes } from '../../http/negotiation.ts';
import { encodeObject } from '../../http/respond.ts';
import { metaType } from '../../machinery/catalog.ts';
import type { Status } from '../../machinery/errors/status.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { encodeMessage } from './protobuf.ts';

/** Encodes a successful Status. A Status is never converted to a Table or to metadata, whatever the client asks for. */
export async function encodeStatus(
  { ctx, scope }: ResourceRequest,
  status: Status,
  { mediaType, pretty }: MediaType,
): Promise<{ bytes: Uint8Array; contentType: string }> {
  const { audit } = ctx.state;
  audit?.logResponseStatus(status);
  if (audit?.logsResponse) audit.logResponseObject([encodeJson(status)]);
  if (mediaType === mediaTypes.protobuf) {
    const type = metaType(await scope.registry.loadMeta(), 'Status');
    return { bytes: encodeEnvelope('v1', 'Status', encodeMessage(type, status)), contentType: mediaType };
  }
  return { bytes: encodeObject(status, { mediaType, pretty }), contentType: mediaType };
}
