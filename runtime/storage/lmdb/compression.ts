import { dictionary } from './dictionary.ts';
import { type CompressionOptions, nativeAddon } from './library.ts';

/** The type that lmdb declares for openDB, which also accepts an instance of its native class. */
export type Compression = { readonly threshold: number } & Record<string, never>;

/** Records of this size and larger are compressed. */
const threshold = 256;

/**
 * Compression with our dictionary. If lmdb created it, it would first read its own dictionary from a file, each time, and
 * discard it.
 */
export function makeCompression(): Compression {
  const getValueBytes = Object.assign(Buffer.alloc(0), { maxLength: 0 });
  // lmdb sets the length of the last value
  Object.defineProperty(getValueBytes, 'length', { value: 0, writable: true, configurable: true });
  const options: CompressionOptions = { threshold, dictionary, getValueBytes };
  return Object.assign(new nativeAddon.Compression(options), options) as unknown as Compression;
}
