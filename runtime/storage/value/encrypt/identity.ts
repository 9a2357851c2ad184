import { TransformError, type Transformer } from '../transformer.ts';

const encryptedPrefix = Buffer.from('k8s:enc:');

/** Reports whether a stored value is encrypted. JSON begins with a brace, and never with this prefix. */
export function isEncrypted(data: Uint8Array): boolean {
  return data.length >= encryptedPrefix.length && encryptedPrefix.equals(data.subarray(0, encryptedPrefix.length));
}

/** Leaves values unchanged, and refuses encrypted ones. (encrypt/identity NewEncryptCheckTransformer) */
export const identityTransformer: Transformer = {
  transformFromStorage(data) {
    if (isEncrypted(data)) throw new TransformError('identity transformer tried to read encrypted data');
    return { data, stale: false };
  },
  transformToStorage: (data) => data,
};
