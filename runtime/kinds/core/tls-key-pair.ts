import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { samePublicKey } from '../../machinery/x509/public-key.ts';

/**
 * Returns the error of Go's tls.X509KeyPair for a certificate and its private key, or undefined.
 *
 * @param certificates in PEM form, like the key
 */
export function keyPairProblem(certificates: string, key: string): string | undefined {
  const chain = blocksOf(certificates);
  const leaf = chain.find(({ label }) => label === 'CERTIFICATE');
  if (leaf === undefined) return noCertificate(chain.map(({ label }) => label));
  const keys = blocksOf(key);
  const keyBlock = keys.find(({ label }) => label === 'PRIVATE KEY' || label.endsWith(' PRIVATE KEY'));
  if (keyBlock === undefined) return noKey(keys.map(({ label }) => label));
  const certified = publicKeyOf(leaf);
  if (certified === undefined) return 'x509: malformed certificate';
  const own = privateKeyOf(keyBlock);
  if (own === undefined) return 'tls: failed to parse private key';
  if (!known.has(own.asymmetricKeyType)) return 'tls: found unknown private key type in PKCS#8 wrapping';
  if (!known.has(certified.asymmetricKeyType)) return 'tls: unknown public key algorithm';
  if (own.asymmetricKeyType !== certified.asymmetricKeyType) {
    return 'tls: private key type does not match public key type';
  }
  return samePublicKey(createPublicKey(own), certified) ? undefined : 'tls: private key does not match public key';
}

const known: ReadonlySet<string | undefined> = new Set(['rsa', 'ec', 'ed25519']);

interface Block {
  readonly label: string;
  readonly der: Buffer;
}

/** Returns the PEM blocks of a text. Ends are looked up by label, so that many blocks without an end cost little. */
function blocksOf(text: string): Block[] {
  const ends = endsOf(text);
  const blocks: Block[] = [];
  let after = 0;
  for (const { index, 0: line, 1: label = '' } of text.matchAll(/-----BEGIN ((?:(?!-----)[^\n])*)-----[ \t\r]*\n/g)) {
    const from = index + line.length;
    const places = ends.get(label);
    if (places === undefined || index < after) continue;
    while (places.length > 0 && (places.at(-1) as number) < from) places.pop();
    const end = places.at(-1);
    if (end === undefined) continue;
    after = end;
    const body = text.slice(from, end).replace(/^[^\n:]+:[^\n]*\n/gm, '');
    blocks.push({ label, der: Buffer.from(body, 'base64') });
  }
  return blocks;
}

/** Returns the positions where blocks end, by label, in descending order. */
function endsOf(text: string): Map<string, number[]> {
  const ends = new Map<string, number[]>();
  for (const { index, 1: label = '' } of [...text.matchAll(/-----END ((?:(?!-----)[^\n])*)-----/g)].reverse()) {
    const places = ends.get(label);
    if (places === undefined) ends.set(label, [index]);
    else places.push(index);
  }
  return ends;
}

function noCertificate(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (skipped.length === 1 && skipped[0]?.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  const types = `[${skipped.join(' ')}]`;
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${types}`;
}

function noKey(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  const types = `[${skipped.join(' ')}]`;
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${types}`;
}

function publicKeyOf({ der }: Block): KeyObject | undefined {
  try {
    return new X509Certificate(der).publicKey;
  } catch {
    return undefined;
  }
}

/** Tries PKCS #1, PKCS #8 and SEC 1, whatever the label says, as Go does. */
function privateKeyOf({ der }: Block): KeyObject | undefined {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: der, format: 'der', type });
    } catch {
      // another encoding may fit
    }
  }
  return undefined;
}
