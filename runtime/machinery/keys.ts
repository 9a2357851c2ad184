import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** The source of the server's private keys. */
export interface KeySource {
  /** The key of a certificate that signs others. @param name its common name */
  authorityKey(name: string): KeyObject;
  /** The key of any other certificate. @param name its common name */
  certificateKey(name: string): KeyObject;
  /** The serial number of a certificate, without its first byte. */
  serial(name: string): Buffer;
  /** The key that signs tokens of service accounts. */
  tokenKey(): KeyObject;
}

/** EC P-256, which takes 0.5 ms. An RSA key would take 100 to 400 ms. */
const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;

export const systemKeys: KeySource = {
  authorityKey: newKey,
  certificateKey: newKey,
  serial: () => randomBytes(15),
  tokenKey: newKey,
};
