import { dictionary } from './dictionary.ts';
import { type CompressionOptions, nativeAddon } from './library.ts';

/** The type of openDB's option in lmdb's declarations. openDB also accepts an instance of the native class. */
export type Compression = { readonly threshold: number } & Record<string, never>;

/** Records of this size and larger are compressed. */
const threshold = 256;

/**
 * Returns a compression with this store's dictionary. If lmdb created it, it would first read its own dictionary from a
 * file, and discard it.
 */
export function makeCompression(): Compression {
  const getValueBytes = Object.assign(Buffer.alloc(0), { maxLength: 0 });
  // lmdb sets the length of the last value
  Object.defineProperty(getValueBytes, 'length', { value: 0, writable: true, configurable: true });
  const options: CompressionOptions = { threshold, dictionary, getValueBytes };
  // the native class has no declarations
  return Object.assign(new nativeAddon.Compression(options), options) as unknown as Compression;
}
