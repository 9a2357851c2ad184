import { beforeAll, describe, expect, test } from '@jest/globals';
import { Exchange } from '../reference/random/exchange.ts';
import { regressionOutcome, regressionTable } from '../support/regression-table.ts';
import { TestServer } from '../support/test-server.ts';

/** The table of test/reference/regressions.test.ts. */
describe('what was once answered otherwise than by kube-apiserver', () => {
  const server = TestServer.forSuite();
  let exchange: Exchange;
  beforeAll(() => {
    exchange = new Exchange(server.http, server.server.url, () => undefined);
  });

  test.each(regressionTable())('$name', async (row) => {
    expect(await regressionOutcome(exchange, row)).toEqual(row.want);
  });
});
