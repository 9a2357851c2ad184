import { TransformError, type Transformer } from '../transformer.ts';

const encryptedPrefix = Buffer.from('k8s:enc:');

/** Whether a stored value is encrypted. JSON begins with a brace and never with this prefix. */
export function isEncrypted(data: Uint8Array): boolean {
  return data.length >= encryptedPrefix.length && encryptedPrefix.equals(data.subarray(0, encryptedPrefix.length));
}

/** Values as they are; encrypted ones are refused. (encrypt/identity NewEncryptCheckTransformer) */
export const identityTransformer: Transformer = {
  transformFromStorage(data) {
    if (isEncrypted(data)) throw new TransformError('identity transformer tried to read encrypted data');
    return { data, stale: false };
  },
  transformToStorage: (data) => data,
};
