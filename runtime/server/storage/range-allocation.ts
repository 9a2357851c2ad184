import { decodeObjectMeta, encodeObjectMeta, messageObjectMeta } from '../../../generated/v1.35/meta/v1/codec.ts';
import { fromUnstructured, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import type { BinaryReader, BinaryWriter } from '../../machinery/protobuf/codec.ts';
import { optionalField, singleField, structMessage } from '../../machinery/protobuf/message.ts';
import { checkEnd, endOf, messageCodec, skipField, writeBytes } from '../../machinery/protobuf/wire.ts';
import type { StoredKind } from '../../storage/storage-codec/stored-kind.ts';

const message = structMessage('RangeAllocation', () => [
  optionalField('metadata', 10, messageObjectMeta),
  singleField('range', 18, 'string'),
  singleField('data', 26, 'bytes'),
]);

/**
 * RangeAllocation: the allocated values of a range, such as the node ports. No code is generated for it because it has
 * no path. (core/v1)
 */
export const rangeAllocation: StoredKind = {
  protobuf: messageCodec(encode, decode),
  prune: fromUnstructured,
  fromStored: (object) => object,
};

function encode(object: KubeObject, writer: BinaryWriter): void {
  const { range, data } = unstructuredContent(object);
  writer.uint32(10).fork();
  encodeObjectMeta(object.metadata, writer);
  writer.join();
  writer.uint32(18).string(typeof range === 'string' ? range : '');
  writeBytes(writer, 26, typeof data === 'string' ? data : '');
}

function decode(reader: BinaryReader, length: number): KubeObject {
  const end = endOf(reader, length);
  let metadata: KubeObject['metadata'] = {};
  let range = '';
  let data = '';
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) metadata = decodeObjectMeta(reader, reader.uint32());
    else if (tag === 18) range = reader.string();
    else if (tag === 26) data = Buffer.from(reader.bytes()).toString('base64');
    else skipField(reader, tag, message);
  }
  checkEnd(reader, end);
  return Object.assign({ metadata }, { range, data });
}
