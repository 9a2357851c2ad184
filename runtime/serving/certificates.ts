import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../machinery/clock.ts';
import { ensureFolder, makePrivate, writeFileAtomically } from '../machinery/files/private-files.ts';
import type { KeySource } from '../machinery/keys.ts';
import { isServerClock } from '../machinery/server-clock.ts';
import { issueCertificate, type KeyPair } from './x509-certificate.ts';

/** The certificates of a server and of its administrator. */
export interface ServerCertificates {
  /** PEM of the CA that signed the other certificates. */
  readonly ca: string;
  readonly caKey: string;
  readonly serving: KeyPair;
  /** The client certificate of `kubernetes-admin` in the group `system:masters`. */
  readonly admin: KeyPair;
}

export interface CertificateOptions {
  /** The folder of the certificate files. Default: in memory only. */
  readonly folder?: string | undefined;
  readonly bindAddress: string;
  readonly clock: Clock;
  /** Default: the system's key generator. */
  readonly keys?: KeySource | undefined;
}

const hour = 3600_000;
const year = 365 * 24 * hour;
/** The validity with a manual clock, because clients use the real time. */
const century = 100 * year;
/** The time before expiry when certificates are renewed. */
const renewBefore = 24 * hour;

/**
 * Loads or creates the server's own certificates. `folder` has .crt and .key files of ca, apiserver and admin. A
 * certificate is renewed when it expires, is not valid yet, cannot be parsed, does not match its key, is not signed by
 * the CA, or does not cover the bind address. (MaybeDefaultWithSelfSignedCerts)
 */
export async function loadOrCreateCertificates({ folder, bindAddress, clock, keys }: CertificateOptions): Promise<ServerCertificates> {
  if (folder !== undefined) await ensureFolder(folder);
  const now = clock.now();
  const files = new CertificateFiles(folder, now);
  const [from, until] = validity(clock);
  const ca = await files.loadOrCreate(
    'ca',
    (certificate) => certificate.ca,
    () => issueAuthority('kubeloom-ca', { clock, keys }),
  );
  const signer = new X509Certificate(ca.certificate);
  const isSigned = (certificate: X509Certificate): boolean => certificate.checkIssued(signer) && certificate.verify(signer.publicKey);
  const names = servingNames(bindAddress);
  const serving = await files.loadOrCreate(
    'apiserver',
    (certificate) => isSigned(certificate) && names.every((name) => covers(certificate, name)),
    () => issueCertificate({ commonName: 'kube-apiserver', names, use: 'server', from, until }, ca, keys),
  );
  const organizations = ['system:masters'];
  const admin = await files.loadOrCreate('admin', isSigned, () =>
    issueCertificate({ commonName: 'kubernetes-admin', organizations, use: 'client', from, until }, ca, keys),
  );
  return { ca: ca.certificate, caKey: ca.key, serving, admin };
}

function validity(clock: Clock): readonly [from: number, until: number] {
  const now = clock.now();
  return [now - hour, now + (isServerClock(clock) ? century : year)];
}

/** Creates a CA that is valid for at least ten years. */
export function issueAuthority(commonName: string, { clock, keys }: Pick<CertificateOptions, 'clock' | 'keys'>): KeyPair {
  const [from, until] = validity(clock);
  const tenYears = clock.now() + 10 * year;
  return issueCertificate({ commonName, use: 'ca', from, until: Math.max(until, tenYears) }, undefined, keys);
}

/** The certificate files in a folder. Without a folder, nothing is stored. */
class CertificateFiles {
  readonly #folder: string | undefined;
  readonly #now: number;

  constructor(folder: string | undefined, now: number) {
    this.#folder = folder;
    this.#now = now;
  }

  async loadOrCreate(name: string, isValid: (certificate: X509Certificate) => boolean, create: () => KeyPair): Promise<KeyPair> {
    const stored = this.#folder === undefined ? undefined : await readPair(this.#folder, name);
    const certificate = stored && parse(stored);
    if (certificate && this.#isCurrent(certificate) && isValid(certificate)) return stored;
    const created = create();
    if (this.#folder !== undefined) await writePair(this.#folder, name, created);
    return created;
  }

  #isCurrent({ validFrom, validTo }: X509Certificate): boolean {
    return Date.parse(validFrom) <= this.#now && Date.parse(validTo) - this.#now > renewBefore;
  }
}

/** Returns all names under which clients may reach the server. */
function servingNames(bindAddress: string): string[] {
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

/** Returns undefined if the certificate or key cannot be parsed, or they do not match. */
function parse({ certificate, key }: KeyPair): X509Certificate | undefined {
  try {
    const parsed = new X509Certificate(certificate);
    return parsed.checkPrivateKey(createPrivateKey(key)) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

async function readPair(folder: string, name: string): Promise<KeyPair | undefined> {
  try {
    const paths = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
    const [certificate = '', key = ''] = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    await Promise.all(paths.map(makePrivate));
    return { certificate, key };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the key first: after a crash in between, the certificate is missing or still due for renewal. */
async function writePair(folder: string, name: string, { certificate, key }: KeyPair): Promise<void> {
  await writeFileAtomically(join(folder, `${name}.key`), key);
  await writeFileAtomically(join(folder, `${name}.crt`), certificate);
}
