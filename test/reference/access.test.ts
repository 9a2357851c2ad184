import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessRun, accessServer, accessTable, writeTokens } from '../support/access-table.ts';
import { HttpClient } from '../support/http-client.ts';
import { KubeApiserver, missingKubeApiserver } from '../support/kube-apiserver.ts';
import { describeUnless } from '../support/skipping.ts';

/** The table of test/conformance/authorization/access.test.ts. */
describeUnless(missingKubeApiserver)('the table of access holds on kube-apiserver', () => {
  describe.each(accessTable)('$title', (section) => {
    let folder: string;
    let server: KubeApiserver;
    let clients: readonly HttpClient[];
    let run: AccessRun;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'access-'));
      const tokens = join(folder, 'tokens.csv');
      await writeTokens(tokens, section);
      const { featureGates = [] } = section;
      server = await KubeApiserver.start({
        args: [
          `--token-auth-file=${tokens}`,
          `--enable-admission-plugins=${accessServer.admissionPlugins}`,
          `--runtime-config=${accessServer.runtimeConfig}`,
          ...(featureGates.length === 0 ? [] : [`--feature-gates=${featureGates}`]),
        ],
      });
      const [admin, users] = [HttpClient.for(server), HttpClient.withoutCertificate(server)];
      clients = [admin, users];
      run = new AccessRun(section, admin, users);
      await run.prepare();
    });
    afterAll(async () => {
      for (const client of clients ?? []) client.close();
      await server?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    test.each(section.rows)('$name', async (row) => {
      expect(await run.outcomeOf(row)).toEqual(row.want);
    });
  });
});
