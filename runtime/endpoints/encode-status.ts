import { encodeEnvelope } from '../codec/protobuf.ts';
import { isPretty, mediaTypes, negotiateOutput, offersFor } from '../http/negotiation.ts';
import { encodeObject } from '../http/respond.ts';
import type { Status } from '../machinery/status.ts';
import type { ResourceRequest } from './dispatch.ts';
import { encodeMessage } from './forms/protobuf.ts';

/** A Status that is an answer rather than an error, in the form that the client asks for. */
export async function encodeStatus(
  { ctx, deps }: ResourceRequest,
  status: Status,
): Promise<{ bytes: Uint8Array; contentType: string }> {
  const { mediaType, pretty } = negotiateOutput(ctx, offersFor(ctx));
  if (mediaType === mediaTypes.protobuf) {
    const type = (await deps.registry.loadMeta()).Status;
    return { bytes: encodeEnvelope('v1', 'Status', encodeMessage(type, status)), contentType: mediaType };
  }
  return { bytes: encodeObject(status, { mediaType, pretty: pretty || isPretty(ctx) }), contentType: mediaType };
}
