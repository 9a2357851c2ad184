import { beforeAll, describe, expect, test } from '@jest/globals';
import { bodyOutcome, bodyTable, prepareBodies } from '../../support/body-table.ts';
import { TestServer } from '../../support/test-server.ts';

describe('the body of a request', () => {
  const suite = TestServer.forSuite();

  beforeAll(() => prepareBodies(suite.http));

  test.each(bodyTable)('is $name', async (row) => {
    expect(await bodyOutcome(suite.http, row)).toEqual(row.want);
  });
});
