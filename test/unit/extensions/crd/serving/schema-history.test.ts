import { describe, expect, test } from '@jest/globals';
import { SchemaHistory, WritesInFlight } from '../../../../../runtime/extensions/crd/serving/schema-history.ts';

describe('the revision from which stored bytes conform to the newest schema', () => {
  test('is that of the newest change of the schema', () => {
    const history = new SchemaHistory(5, () => 9);
    expect(history.changedAt).toBe(5);
    history.changed(8);
    history.changed(7);
    expect(history.changedAt).toBe(8);
  });

  test('is infinite while a replaced definition has writes in flight', async () => {
    const history = new SchemaHistory(5, () => 9);
    const writes = new WritesInFlight();
    let finish = (): void => {};
    const write = writes.run(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    writes.retire(history);
    history.changed(6);
    expect(history.changedAt).toBe(Number.POSITIVE_INFINITY);
    finish();
    await write;
    expect(history.changedAt).toBe(9);
  });

  test('is finite if no write is in flight', () => {
    const history = new SchemaHistory(5, () => 9);
    new WritesInFlight().retire(history);
    expect(history.changedAt).toBe(5);
  });
});
