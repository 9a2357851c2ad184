import { createPrivateKey, type KeyObject } from 'node:crypto';

/**
 * Formats a private key in the PEM form that client-go and kubeadm write: SEC 1 for EC (`EC PRIVATE KEY`), PKCS #1 for
 * RSA (`RSA PRIVATE KEY`), PKCS #8 for other algorithms. Some clients, such as fabric8, tell the algorithm from the
 * name of the block. (client-go util/keyutil MarshalPrivateKeyToPEM)
 */
export function privateKeyPem(key: KeyObject): string {
  const type = forms[key.asymmetricKeyType ?? ''] ?? 'pkcs8';
  return key.export({ type, format: 'pem' }) as string;
}

const forms: Readonly<Record<string, 'sec1' | 'pkcs1'>> = { ec: 'sec1', rsa: 'pkcs1' };

/**
 * Returns a PEM private key in the form of `privateKeyPem`.
 *
 * @throws Error if the text has no private key
 */
export function normalizedPrivateKeyPem(pem: string): string {
  return privateKeyPem(createPrivateKey(pem));
}
