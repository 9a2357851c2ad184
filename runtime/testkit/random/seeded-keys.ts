import { checkPrimeSync, createECDH, createPrivateKey, type KeyObject } from 'node:crypto';
import type { KeySource } from '../../machinery/keys.ts';
import type { Random } from '../../machinery/random.ts';

/** The prefix of a PKCS #8 private key, before its 32 bytes. (RFC 8410) */
const ed25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Keys from a seed. The signatures that clients read are deterministic: authorities have Ed25519 keys and tokens RSA
 * keys. Other certificates have EC keys, which sign only handshakes and which every client supports.
 */
export class SeededKeys implements KeySource {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  authorityKey(name: string): KeyObject {
    const der = Buffer.concat([ed25519, this.#random.bytes(32, 'certificate-key', name)]);
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  }

  /** P-256. Its order is larger than any number without the first bit. */
  certificateKey(name: string): KeyObject {
    const secret = this.#random.bytes(32, 'certificate-key', name);
    secret[0] = (secret[0] ?? 0) & 0x7f;
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(secret);
    const point = curve.getPublicKey();
    const [d = '', x = '', y = ''] = [secret, point.subarray(1, 33), point.subarray(33)].map((bytes) => bytes.toString('base64url'));
    return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d, x, y }, format: 'jwk' });
  }

  serial(name: string): Buffer {
    return this.#random.bytes(15, 'certificate-serial', name);
  }

  /** RSA with 2048 bits. Takes tenths of a second. */
  tokenKey(): KeyObject {
    const e = 65_537n;
    const [p, q] = [this.#prime(e), this.#prime(e)];
    const d = inverse(e, (p - 1n) * (q - 1n));
    const parts = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
    const jwk = Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, base64url(value)]));
    return createPrivateKey({ key: { kty: 'RSA', ...jwk }, format: 'jwk' });
  }

  /** Returns a 1024-bit prime. Its first two bits and its last are set. */
  #prime(e: bigint): bigint {
    const bytes = this.#random.bytes(128, 'token-key');
    bytes[0] = (bytes[0] ?? 0) | 0xc0;
    bytes[127] = (bytes[127] ?? 0) | 1;
    for (let candidate = BigInt(`0x${bytes.toString('hex')}`); ; candidate += 2n) {
      if ((candidate - 1n) % e !== 0n && checkPrimeSync(candidate)) return candidate;
    }
  }
}

/** (Euclid) */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b, x, y] = [b, a - quotient * b, y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
