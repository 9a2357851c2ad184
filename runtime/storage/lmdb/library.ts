import { createRequire } from 'node:module';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { StorageError } from '../errors.ts';

/** The used part of lmdb's exports. Its declarations lack nativeAddon. */
type Library = Pick<typeof import('lmdb'), 'open'> & { readonly nativeAddon: NativeAddon };

interface NativeAddon {
  readonly Compression: new (options: CompressionOptions) => object;
}

export interface CompressionOptions {
  readonly threshold: number;
  readonly dictionary: Buffer;
  /** The buffer of decompressed values. lmdb replaces it by a larger one when needed. */
  readonly getValueBytes: Buffer;
}

export const { open, nativeAddon } = load();

/** Loads the package. It is optional, because other engines do not use it. */
function load(): Library {
  try {
    return createRequire(import.meta.url)('lmdb') as Library;
  } catch (error) {
    throw new StorageError('unavailable', `storage on disk needs the package lmdb: npm install lmdb (${reason(error)})`);
  }
}

/** Returns the first line, without the file names after it. */
function reason(error: unknown): string {
  return messageOf(error).split('\n', 1).join();
}
