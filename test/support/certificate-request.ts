import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { bits, boolean, integer, objectIdentifier, octets, sequence, set, tagged, utf8 } from '../../runtime/machinery/x509/der-writer.ts';

export interface RequestFacts {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  /** Further attributes of the subject, by object identifier. */
  readonly others?: readonly (readonly [type: string, value: string])[];
  /** The content of a GeneralName by its tag: 0x81 email, 0x82 DNS, 0x86 URI, 0x87 IP. */
  readonly names?: readonly (readonly [tag: number, value: string | Uint8Array])[];
  /** Asks for basicConstraints CA:TRUE. */
  readonly ca?: boolean;
  readonly keyType?: 'ec' | 'rsa' | 'ed25519';
}

/** A request as PEM in base64, like spec.request, and its key as PEM. */
export interface MadeRequest {
  readonly request: string;
  readonly key: string;
}

const signatures = {
  ec: { algorithm: sequence(objectIdentifier('1.2.840.10045.4.3.2')), hash: 'sha256' },
  rsa: { algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.11'), tagged(0x05)), hash: 'sha256' },
  ed25519: { algorithm: sequence(objectIdentifier('1.3.101.112')), hash: null },
} as const;

/** Makes a certificate request with a new key. (PKCS#10) */
export function makeCertificateRequest(facts: RequestFacts = {}): MadeRequest {
  const { keyType = 'ec' } = facts;
  const { publicKey, privateKey } = newKeys(keyType);
  const { algorithm, hash } = signatures[keyType];
  const body = sequence(
    integer(Buffer.from([0])),
    subjectOf(facts),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa0, ...attributesOf(facts)),
  );
  const request = sequence(body, algorithm, bits(sign(hash, body, privateKey)));
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${request.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  return {
    request: Buffer.from(pem).toString('base64'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function newKeys(type: 'ec' | 'rsa' | 'ed25519'): { publicKey: KeyObject; privateKey: KeyObject } {
  if (type === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  if (type === 'ed25519') return generateKeyPairSync('ed25519');
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
}

function subjectOf({ commonName, organizations = [], others = [] }: RequestFacts): Buffer {
  const part = (type: string, value: string): Buffer => set(sequence(objectIdentifier(type), utf8(value)));
  return sequence(
    ...organizations.map((value) => part('2.5.4.10', value)),
    ...others.map(([type, value]) => part(type, value)),
    ...(commonName === undefined ? [] : [part('2.5.4.3', commonName)]),
  );
}

function attributesOf({ names = [], ca = false }: RequestFacts): Buffer[] {
  const extension = (type: string, value: Buffer): Buffer => sequence(objectIdentifier(type), octets(value));
  const extensions = [
    ...(ca ? [extension('2.5.29.19', sequence(boolean(true))), extension('2.5.29.15', bits(Buffer.from([6]), 1))] : []),
    ...(names.length === 0 ? [] : [extension('2.5.29.17', sequence(...names.map(([tag, value]) => tagged(tag, Buffer.from(value)))))]),
  ];
  if (extensions.length === 0) return [];
  return [sequence(objectIdentifier('1.2.840.113549.1.9.14'), set(sequence(...extensions)))];
}
