import * as lmdb from 'lmdb';
import { dictionary } from './dictionary.ts';

/** What openDB takes, says lmdb's declaration; what it takes as it is, is an instance of its native class. */
export type Compression = { readonly threshold: number } & Record<string, never>;

interface CompressionParts {
  readonly threshold: number;
  readonly dictionary: Buffer;
  /** Where compressed values are unpacked to; lmdb puts a larger one in its place. */
  readonly getValueBytes: Buffer;
}

/** What lmdb exports and its declarations leave out. */
const { nativeAddon } = lmdb as unknown as {
  nativeAddon: { Compression: new (parts: CompressionParts) => object };
};

/** Records from this size on are compressed. */
const threshold = 256;

/**
 * Compression with our dictionary. Made here and not by lmdb, which reads a dictionary of its own from its folder first,
 * each time, and throws it away.
 */
export function makeCompression(): Compression {
  const getValueBytes = Object.assign(Buffer.alloc(0), { maxLength: 0 });
  // lmdb sets the length of what it read last
  Object.defineProperty(getValueBytes, 'length', { value: 0, writable: true, configurable: true });
  const parts: CompressionParts = { threshold, dictionary, getValueBytes };
  return Object.assign(new nativeAddon.Compression(parts), parts) as unknown as Compression;
}
