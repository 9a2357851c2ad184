import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../machinery/clock.ts';
import { makeFolder, makePrivate, writeFileAtomically } from './files.ts';
import { issueCertificate, type KeyPair } from './x509-certificate.ts';

/** What a server shows, and what its administrator shows to it. */
export interface ServerCertificates {
  /** PEM of the authority behind the other two. */
  readonly authority: string;
  readonly serving: KeyPair;
  /** Client certificate of `kubernetes-admin` in `system:masters`. */
  readonly admin: KeyPair;
}

export interface CertificateOptions {
  /** Where they are kept; in memory only when absent. */
  readonly folder?: string;
  readonly bindAddress: string;
  readonly clock: Clock;
}

const hour = 3600_000;
const year = 365 * 24 * hour;
/** Certificates are renewed when less than this is left of them. */
const margin = 24 * hour;

/**
 * The server's own certificates: made on the first start, kept in `folder` (ca, apiserver, admin: .crt and .key), and
 * renewed one by one when expired, damaged, not signed by the authority, or not valid for the bind address.
 */
export async function provideCertificates({
  folder,
  bindAddress,
  clock,
}: CertificateOptions): Promise<ServerCertificates> {
  if (folder !== undefined) await makeFolder(folder);
  const now = clock.now();
  const names = servingNames(bindAddress);
  const keep = async (
    name: string,
    isGood: (pair: X509Certificate) => boolean,
    make: () => KeyPair,
  ): Promise<KeyPair> => {
    const kept = folder === undefined ? undefined : await readPair(folder, name);
    const certificate = kept && parse(kept.certificate);
    if (kept && certificate && Date.parse(certificate.validTo) - now > margin && isGood(certificate)) return kept;
    const made = make();
    if (folder !== undefined) await writePair(folder, name, made);
    return made;
  };
  const from = now - hour;
  const authority = await keep(
    'ca',
    (certificate) => certificate.ca,
    () => issueCertificate({ commonName: 'kubeloom-ca', use: 'authority', from, until: now + 10 * year }),
  );
  const signer = new X509Certificate(authority.certificate);
  const isOurs = (certificate: X509Certificate): boolean =>
    certificate.checkIssued(signer) && certificate.verify(signer.publicKey);
  const serving = await keep(
    'apiserver',
    (certificate) => isOurs(certificate) && names.every((name) => covers(certificate, name)),
    () => issueCertificate({ commonName: 'kube-apiserver', names, use: 'server', from, until: now + year }, authority),
  );
  const admin = await keep('admin', isOurs, () =>
    issueCertificate(
      { commonName: 'kubernetes-admin', organizations: ['system:masters'], use: 'client', from, until: now + year },
      authority,
    ),
  );
  return { authority: authority.certificate, serving, admin };
}

/** Every name a client may know the server by. */
export function servingNames(bindAddress: string): string[] {
  const names = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  names.push('kubernetes.default.svc.cluster.local', '127.0.0.1', '::1');
  const host = hostname().toLowerCase();
  if (/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(host)) names.push(host);
  if (isIP(bindAddress) !== 0 && bindAddress !== '0.0.0.0' && bindAddress !== '::') names.push(bindAddress);
  return [...new Set(names)];
}

function covers(certificate: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}

function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

async function readPair(folder: string, name: string): Promise<KeyPair | undefined> {
  try {
    const paths = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
    const [certificate, key] = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    await Promise.all(paths.map(makePrivate));
    return { certificate, key };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The key first: a certificate is looked at only beside its key. */
async function writePair(folder: string, name: string, { certificate, key }: KeyPair): Promise<void> {
  await writeFileAtomically(join(folder, `${name}.key`), key);
  await writeFileAtomically(join(folder, `${name}.crt`), certificate);
}
