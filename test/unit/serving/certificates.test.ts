import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../runtime/machinery/clock.ts';
import { loadOrCreateCertificates } from '../../../runtime/serving/certificates.ts';
import { issueCertificate } from '../../../runtime/serving/x509-certificate.ts';

const day = 24 * 3600_000;
const clockAt = (offset: number) => ({ ...systemClock, now: () => Date.now() + offset });

describe('a certificate', () => {
  test('has the requested names and dates', () => {
    const from = Date.UTC(2026, 0, 1);
    const until = Date.UTC(2051, 5, 1, 12, 30);
    const ca = issueCertificate({ commonName: 'ca', use: 'ca', from, until });
    const names = ['localhost', '10.0.0.1', '::1', 'fe80::1:2', '::ffff:1.2.3.4'];
    const pair = issueCertificate({ commonName: 'jané', organizations: ['a, b', 'x+y=z'], names, use: 'server', from, until }, ca);
    const certificate = new X509Certificate(pair.certificate);
    const issuer = new X509Certificate(ca.certificate);
    expect(issuer.ca).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.checkIssued(issuer)).toBe(true);
    expect(certificate.verify(issuer.publicKey)).toBe(true);
    expect(certificate.subject).toBe('O=a\\, b\nO=x\\+y=z\nCN=jané');
    expect([Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]).toEqual([from, until]);
    for (const name of names.slice(1)) expect(certificate.checkIP(name)).toBeDefined();
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });
});

describe('the certificates of a server', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-certs-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const provide = (bindAddress = '127.0.0.1', clock = systemClock) => loadOrCreateCertificates({ folder, bindAddress, clock });

  test('are created once and kept, with keys for their owner only', async () => {
    const first = await provide();
    expect(await provide()).toEqual(first);
    expect((await stat(join(folder, 'ca.key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, 'admin.crt'), 'utf8')).toBe(first.admin.certificate);
  });

  test('are renewed one by one: expired, damaged, for another address', async () => {
    const first = await provide();
    const nextYear = clockAt(365 * day);
    const later = await provide('127.0.0.1', nextYear);
    expect(later.ca).toBe(first.ca);
    expect(later.serving).not.toEqual(first.serving);
    const moved = await provide('10.1.2.3', nextYear);
    expect(moved.admin).toEqual(later.admin);
    expect(new X509Certificate(moved.serving.certificate).checkIP('10.1.2.3')).toBe('10.1.2.3');
    await writeFile(join(folder, 'admin.crt'), 'damaged');
    expect((await provide('10.1.2.3', nextYear)).admin).not.toEqual(moved.admin);
  });

  test('are renewed if they are not valid yet, as those of a server with another clock', async () => {
    const future = await provide('127.0.0.1', clockAt(365 * day));
    const now = await provide();
    for (const part of ['ca', 'serving', 'admin'] as const) expect(now[part]).not.toEqual(future[part]);
  });

  test('are all renewed with a new CA', async () => {
    const first = await provide();
    await rm(join(folder, 'ca.crt'));
    const second = await provide();
    for (const part of ['ca', 'serving', 'admin'] as const) expect(second[part]).not.toEqual(first[part]);
  });
});
