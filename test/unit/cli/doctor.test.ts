import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { certificates, checks, clock, node } from '../../../runtime/cli/doctor/checks.ts';
import type { Finding } from '../../../runtime/cli/doctor/finding.ts';
import { systemClock } from '../../../runtime/machinery/clock.ts';
import { loadOrCreateCertificates } from '../../../runtime/serving/certificates.ts';

describe('kubeloom doctor', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-doctor-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Returns the findings of a check by its name. */
  async function findings(name: string, port = 0, dataDir = join(folder, 'data')): Promise<(Finding | undefined)[]> {
    const place = { bindAddress: '127.0.0.1', port, dataDir, certDir: join(folder, 'certs') };
    const found = await Promise.all(checks.map((check) => check(place)));
    return found.filter((finding) => finding?.name === name);
  }

  it.each([
    ['20.18.0', 'error'],
    ['20.19.0', 'ok'],
    ['21.9.0', 'error'],
    ['22.11.0', 'error'],
    ['22.12.0', 'ok'],
    ['23.0.0', 'ok'],
    ['24.1.0', 'ok'],
    ['18.20.0', 'error'],
  ])('finds Node %s: %s', (version, level) => expect(node(undefined, version).level).toBe(level));

  it.each([
    ['1970-01-01T00:00:09Z', 'error'],
    ['2026-11-28T00:00:00Z', 'ok'],
  ])('finds the time %s: %s', (time, level) => expect(clock(undefined, new Date(time)).level).toBe(level));

  it('finds a port that is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await findings('port', port)).toMatchObject([{ level: 'error', text: expect.stringMatching(`^127.0.0.1:${port} is in use`) }]);
    server.close();
    expect(await findings('port')).toMatchObject([{ level: 'ok' }]);
  });

  it('finds a folder for data, or a file in its place', async () => {
    expect(await findings('data')).toMatchObject([{ level: 'ok', text: expect.stringMatching(/data will be made on the first start$/) }]);
    await writeFile(join(folder, 'file'), '');
    expect(await findings('data', 0, join(folder, 'file'))).toMatchObject([{ level: 'error' }]);
    expect(await findings('disk')).toMatchObject([{ text: expect.stringMatching(/GiB free/) }]);
  });

  it('finds certificates that are not valid now', async () => {
    const certDir = join(folder, 'certs');
    expect(certificates({ certDir })).toBeUndefined();
    await loadOrCreateCertificates({ folder: certDir, bindAddress: '127.0.0.1', clock: systemClock });
    const day = 86_400_000;
    expect(certificates({ certDir })).toMatchObject({ level: 'ok' });
    expect(certificates({ certDir }, Date.now() - 1000 * day)).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('is the clock right?'),
    });
    expect(certificates({ certDir }, Date.now() + 365 * 100 * day)).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('renews it'),
    });
    await writeFile(join(certDir, 'ca.crt'), 'x');
    expect(certificates({ certDir })).toMatchObject({ level: 'warning', text: expect.stringContaining('makes new ones') });
  });
});
