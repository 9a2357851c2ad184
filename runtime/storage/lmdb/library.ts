import { createRequire } from 'node:module';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { StorageError } from '../errors.ts';

/** What is used of lmdb's exports. Its declarations lack nativeAddon. */
type Library = Pick<typeof import('lmdb'), 'open'> & { readonly nativeAddon: NativeAddon };

interface NativeAddon {
  readonly Compression: new (options: CompressionOptions) => object;
}

export interface CompressionOptions {
  readonly threshold: number;
  readonly dictionary: Buffer;
  /** The buffer for decompressed values. lmdb replaces it with a larger one when needed. */
  readonly getValueBytes: Buffer;
}

export const { open, nativeAddon } = load();

/** The package is optional: a server with another engine does without it. */
function load(): Library {
  try {
    return createRequire(import.meta.url)('lmdb') as Library;
  } catch (error) {
    throw new StorageError('unavailable', `storage on disk needs the package lmdb: npm install lmdb (${reason(error)})`);
  }
}

/** The first line, without the file names that follow it. */
function reason(error: unknown): string {
  return messageOf(error).split('\n', 1).join();
}
