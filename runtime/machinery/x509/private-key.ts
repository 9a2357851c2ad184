import { createPrivateKey, type KeyObject } from 'node:crypto';

/**
 * A private key in the PEM form that client-go and kubeadm write: SEC 1 for EC (`EC PRIVATE KEY`), PKCS #1 for RSA
 * (`RSA PRIVATE KEY`). Clients tell the algorithm from the name of the block, fabric8 among them. Other algorithms have no
 * form of their own and are in PKCS #8. (client-go util/keyutil MarshalPrivateKeyToPEM)
 */
export function privateKeyPem(key: KeyObject): string {
  const type = forms[key.asymmetricKeyType ?? ''] ?? 'pkcs8';
  return key.export({ type, format: 'pem' }) as string;
}

const forms: Readonly<Record<string, 'sec1' | 'pkcs1'>> = { ec: 'sec1', rsa: 'pkcs1' };

/** The same key in the form of `privateKeyPem`. @throws Error if the text has no private key */
export function normalizedPrivateKeyPem(pem: string): string {
  return privateKeyPem(createPrivateKey(pem));
}
