import { prettyJson } from '../../codec/json/pretty.ts';
import { jsonListEnd } from '../../codec/json-list.ts';

const indent = '\n    ';
/** What prettyJson makes of the end of a list without items. */
const emptyEnd = ']\n}';

/**
 * A list for people, an item at a time: what prettyJson makes of the whole.
 *
 * @param head compact JSON up to the bracket before the items, as jsonListHead and tableHead give it
 * @param item compact JSON
 */
export function* prettyPieces(
  head: Uint8Array,
  count: number,
  item: (index: number) => Uint8Array,
): Iterable<Uint8Array> {
  const empty = prettyJson(Buffer.concat([head, jsonListEnd])).toString();
  if (count === 0) {
    yield Buffer.from(empty);
    return;
  }
  yield Buffer.from(empty.slice(0, -emptyEnd.length));
  for (let index = 0; index < count; index++) {
    const lines = prettyJson(item(index)).toString().replaceAll('\n', indent);
    yield Buffer.from(`${index > 0 ? ',' : ''}${indent}${lines}`);
  }
  yield Buffer.from('\n  ]\n}');
}
