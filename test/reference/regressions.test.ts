import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { everyVersion } from '../support/every-version.ts';
import { HttpClient } from '../support/http-client.ts';
import { KubeApiserver, missingKubeApiserver } from '../support/kube-apiserver.ts';
import { regressionOutcome, regressionTable } from '../support/regression-table.ts';
import { describeUnless } from '../support/skipping.ts';
import { Exchange } from './random/exchange.ts';

/** The table of test/conformance/regressions.test.ts. */
describeUnless(missingKubeApiserver)('the table of regressions holds on kube-apiserver', () => {
  let server: KubeApiserver;
  let http: HttpClient;
  let exchange: Exchange;

  beforeAll(async () => {
    const { featureGates, runtimeConfig } = everyVersion;
    server = await KubeApiserver.start({ args: [`--feature-gates=${featureGates}`, `--runtime-config=${runtimeConfig}`] });
    http = HttpClient.for(server);
    exchange = new Exchange(http, server.url, () => undefined);
  });
  afterAll(async () => {
    http?.close();
    await server?.stop();
  });

  test.each(regressionTable())('$name', async (row) => {
    expect(await regressionOutcome(exchange, row)).toEqual(row.want);
  });
});
