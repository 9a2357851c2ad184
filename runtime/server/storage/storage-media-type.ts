import { quote } from '../../machinery/go/quote.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { StorageMediaType } from '../../storage/storage-codec/storage-codec.ts';

/** Media types in the order of error messages. */
const mediaTypes: readonly StorageMediaType[] = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];

/** @throws OptionError (pkg/server/options/etcd.go Validate) */
export function storageMediaType({ storageMediaType: text }: ServerOptions): StorageMediaType {
  if (text === undefined) return 'application/vnd.kubernetes.protobuf';
  if (text === '') return 'application/json';
  const known = mediaTypes.find((mediaType) => mediaType === text);
  if (known !== undefined) return known;
  throw new OptionError(`--storage-media-type ${quote(text)} invalid, allowed values: ${mediaTypes.join(', ')}`);
}
