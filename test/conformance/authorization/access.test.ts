import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { AccessRun, accessServer, accessTable, writeTokens } from '../../support/access-table.ts';
import { HttpClient } from '../../support/http-client.ts';

describe.each(accessTable)('access: $title', (section) => {
  let folder: string;
  let server: RunningServer;
  let clients: readonly HttpClient[];
  let run: AccessRun;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'access-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeTokens(tokenAuthFile, section);
    server = await startServer({
      tokenAuthFile,
      featureGates: section.featureGates,
      enableAdmissionPlugins: accessServer.admissionPlugins,
      runtimeConfig: accessServer.runtimeConfig,
    });
    const [admin, users] = [HttpClient.for(server), HttpClient.withoutCertificate(server)];
    clients = [admin, users];
    run = new AccessRun(section, admin, users);
    await run.prepare();
  });
  afterAll(async () => {
    for (const client of clients ?? []) client.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each(section.rows)('$name', async (row) => {
    expect(await run.outcomeOf(row)).toEqual(row.want);
  });
});
