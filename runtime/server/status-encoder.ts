import { encodeEnvelope } from '../codec/protobuf.ts';
import type { Catalog } from '../machinery/catalog.ts';
import type { Status } from '../machinery/errors/status.ts';
import type { ProtobufCodec } from '../machinery/protobuf/codec.ts';
import { writeMessage } from '../machinery/protobuf/message-writer.ts';

/** Returns a function that encodes a Status in protobuf; undefined if the release has no codec for it. */
export async function statusEncoder(catalog: Catalog): Promise<((status: Status) => Uint8Array) | undefined> {
  const codec = (await catalog.loadMeta()).Status?.protobuf as ProtobufCodec<Status> | undefined;
  if (codec === undefined) return undefined;
  return (status) => {
    const message = writeMessage((writer) => codec.encode(status, writer));
    return encodeEnvelope('v1', 'Status', message);
  };
}
