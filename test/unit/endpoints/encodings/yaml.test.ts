import { describe, expect, test } from '@jest/globals';
import { encodeYaml } from '../../../../runtime/codec/yaml.ts';
import { yamlListPieces } from '../../../../runtime/endpoints/encodings/yaml.ts';

describe('a list in YAML, encoded item by item', () => {
  const pod = (name: string) => ({
    kind: 'Pod',
    metadata: { name, labels: { a: 'yes', b: 'x\ny' } },
    spec: { containers: [{ name: 'c', args: ['--a', ''] }], volumes: [] },
  });
  for (const count of [0, 1, 3]) {
    test(`equals the whole list of ${count}`, () => {
      const items = Array.from({ length: count }, (_, index) => pod(`pod-${index}`));
      const meta = { resourceVersion: '12', continue: 'abc', remainingItemCount: 4 };
      const pieces = [...yamlListPieces({ apiVersion: 'v1', kind: 'PodList', meta }, count, (index) => items[index])];
      expect(Buffer.concat(pieces).toString()).toBe(
        Buffer.from(encodeYaml({ kind: 'PodList', apiVersion: 'v1', metadata: meta, items })).toString(),
      );
    });
  }
});
