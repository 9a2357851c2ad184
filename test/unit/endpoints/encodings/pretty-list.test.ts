import { describe, expect, test } from '@jest/globals';
import { prettyJson } from '../../../../runtime/codec/json/pretty.ts';
import { decodeJson, encodeJson } from '../../../../runtime/codec/json.ts';
import { jsonListHead } from '../../../../runtime/codec/json-list.ts';
import { prettyPieces } from '../../../../runtime/endpoints/encodings/pretty-list.ts';

describe('an indented list', () => {
  const items = [{ a: 'line\nand "quotes"', b: [1, { c: [] }] }, {}, { metadata: { name: 'x' } }].map((item) => encodeJson(item));
  for (const count of [0, 1, 3]) {
    test(`with ${count} items equals the list encoded as a whole`, () => {
      const meta = { resourceVersion: '7', continue: 'abc' };
      const some = items.slice(0, count);
      const pieces = [...prettyPieces(jsonListHead('v1', 'PodList', meta), count, (index) => some[index])];
      const whole = { kind: 'PodList', apiVersion: 'v1', metadata: meta, items: some.map((item) => decodeJson(item)) };
      expect(Buffer.concat(pieces).toString()).toBe(prettyJson(encodeJson(whole)).toString());
    });
  }
});
