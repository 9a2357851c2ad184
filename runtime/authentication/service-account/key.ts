import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { PemReader } from '../../machinery/go/pem.ts';
import { systemKeys } from '../../machinery/keys.ts';

/** A key that verifies service account tokens. */
export interface PublicKey {
  readonly publicKey: KeyObject;
  /** The JWS algorithm for the type of key: RS256, ES256, ES384 or ES512. */
  readonly algorithm: string;
  /** The `kid` of tokens: the SHA-256 hash of the public key. (pkg/serviceaccount/jwt.go) */
  readonly id: string;
}

/** The key that signs service account tokens. */
export interface ServiceAccountKey extends PublicKey {
  readonly privateKey: KeyObject;
}

const curves: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };
/** Labels of PEM blocks from which public keys are read. Other blocks, such as curve parameters, are skipped. */
const keyTypes = ['PUBLIC KEY', 'RSA PUBLIC KEY', 'PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'CERTIFICATE'];

export function makeServiceAccountKey(keys = systemKeys): ServiceAccountKey {
  return describeKey(keys.tokenKey());
}

/**
 * Reads a private key in PEM: RSA or EC, in PKCS #8 or the older formats of kubeadm and openssl.
 *
 * @throws Error if the text is not a key, or has an unsupported type
 */
export function parseServiceAccountKey(pem: string): ServiceAccountKey {
  return describeKey(createPrivateKey(pem));
}

/**
 * Reads all keys of a file: public keys, and the public halves of private keys. (client-go util/keyutil
 * PublicKeysFromFile)
 *
 * @throws Error if there is no key, or one of an unsupported type
 */
export function parsePublicKeys(pem: string): PublicKey[] {
  const reader = new PemReader(pem);
  const keys: PublicKey[] = [];
  for (let block = reader.next(); block !== undefined; block = reader.next()) {
    if (!keyTypes.includes(block.type)) continue;
    const text = `-----BEGIN ${block.type}-----\n${block.bytes.toString('base64')}\n-----END ${block.type}-----\n`;
    keys.push(describePublicKey(createPublicKey(text)));
  }
  if (keys.length === 0) throw new Error('data does not contain any valid RSA or ECDSA public keys');
  return keys;
}

export const publicKeyPem = ({ publicKey }: PublicKey): string => publicKey.export({ type: 'spki', format: 'pem' }) as string;

const describeKey = (privateKey: KeyObject): ServiceAccountKey => ({
  privateKey,
  ...describePublicKey(createPublicKey(privateKey)),
});

function describePublicKey(publicKey: KeyObject): PublicKey {
  const algorithm = algorithmOf(publicKey);
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { publicKey, algorithm, id };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = asymmetricKeyType === 'ec' ? curves[asymmetricKeyDetails?.namedCurve ?? ''] : undefined;
  if (algorithm === undefined) throw new Error('the key must be RSA, or EC on the curve P-256, P-384 or P-521');
  return algorithm;
}
