import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bodyOutcome, bodyTable, prepareBodies } from '../support/body-table.ts';
import { HttpClient } from '../support/http-client.ts';
import { KubeApiserver, missingKubeApiserver } from '../support/kube-apiserver.ts';
import { describeUnless } from '../support/skipping.ts';

/** The table of test/conformance/writes/bodies.test.ts. */
describeUnless(missingKubeApiserver)('the table of bodies holds on kube-apiserver', () => {
  let server: KubeApiserver;
  let http: HttpClient;

  beforeAll(async () => {
    server = await KubeApiserver.start();
    http = HttpClient.for(server);
    await prepareBodies(http);
  });
  afterAll(async () => {
    http?.close();
    await server?.stop();
  });

  describe('the body of a request', () => {
    test.each(bodyTable)('is $name', async (row) => {
      expect(await bodyOutcome(http, row)).toEqual(row.want);
    });
  });
});
