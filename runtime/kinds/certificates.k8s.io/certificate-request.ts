import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { PemReader } from '../../machinery/go/pem.ts';

/** By the hexadecimal object identifier of the signature's algorithm. Ed25519 has no hash of its own. */
const hashes: ReadonlyMap<string, string | null> = new Map([
  ['2a864886f70d010105', 'sha1'],
  ['2a864886f70d01010b', 'sha256'],
  ['2a864886f70d01010c', 'sha384'],
  ['2a864886f70d01010d', 'sha512'],
  ['2a8648ce3d0401', 'sha1'],
  ['2a8648ce3d040302', 'sha256'],
  ['2a8648ce3d040303', 'sha384'],
  ['2a8648ce3d040304', 'sha512'],
  ['2b6570', null],
]);

/** RSASSA-PSS, whose hash is in its parameters, by the end of the hash's object identifier. */
const pss = '2a864886f70d01010a';
const pssHash = /6086480165030402(0[1-3])/;
const pssHashes = new Map([
  ['01', 'sha256'],
  ['02', 'sha384'],
  ['03', 'sha512'],
]);

const failures: Readonly<Record<string, string>> = {
  rsa: 'crypto/rsa: verification error',
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
};

const malformed = 'asn1: structure error: not a certificate request';
const tags = { sequence: 0x30, bits: 0x03, objectIdentifier: 0x06 } as const;

/**
 * What is wrong with a PKCS#10 request, undefined for nothing: it must be PEM, and signed with its own key.
 * (pkg/apis/certificates ParseCSR, crypto/x509 CheckSignature)
 *
 * @param request PEM in base64
 */
export function certificateRequestProblem(request: string): string | undefined {
  const block = new PemReader(Buffer.from(request, 'base64').toString('latin1')).next();
  if (block?.type !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  const [outer] = elementsOf(block.bytes);
  const [body, algorithm, signature] = outer?.tag === tags.sequence ? elementsOf(outer.content) : [];
  if (body?.tag !== tags.sequence || algorithm?.tag !== tags.sequence || signature?.tag !== tags.bits) return malformed;
  const [, , keyInfo] = elementsOf(body.content);
  const [identifier] = elementsOf(algorithm.content);
  if (keyInfo === undefined || identifier?.tag !== tags.objectIdentifier) return malformed;
  let key: KeyObject;
  try {
    key = createPublicKey({ key: keyInfo.whole, format: 'der', type: 'spki' });
  } catch {
    return malformed;
  }
  const failure = failures[key.asymmetricKeyType ?? ''];
  const id = identifier.content.toString('hex');
  const hash = id === pss ? pssHashes.get(pssHash.exec(algorithm.content.toString('hex'))?.[1] ?? '') : hashes.get(id);
  if (failure === undefined || hash === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  // the first byte of a bit string says how many bits of the last one are not used
  return isSigned(hash, body.whole, { key, ...(id === pss ? padding : {}) }, signature.content.subarray(1))
    ? undefined
    : failure;
}

function isSigned(hash: string | null, data: Buffer, key: Parameters<typeof verify>[2], signature: Buffer): boolean {
  try {
    return verify(hash, data, key, signature);
  } catch {
    return false;
  }
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

/** The elements of a DER sequence, up to the first that is cut off. */
function elementsOf(der: Buffer): Element[] {
  const elements: Element[] = [];
  let at = 0;
  // no sequence that is read has more
  while (at + 2 <= der.length && elements.length < 4) {
    const first = der[at + 1];
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    const start = at + 2 + lengthBytes;
    if (lengthBytes > 4 || start > der.length) break;
    const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
    if (start + length > der.length) break;
    elements.push({
      tag: der[at],
      content: der.subarray(start, start + length),
      whole: der.subarray(at, start + length),
    });
    at = start + length;
  }
  return elements;
}
