import { prettyJson } from '../../codec/json/pretty.ts';
import { jsonListEnd } from '../../codec/json-list.ts';

const indent = '\n    ';
/** The end of an empty list, as prettyJson writes it. */
const emptyEnd = ']\n}';

/**
 * Yields a list in indented JSON, one item at a time: the same bytes as prettyJson of the whole list.
 *
 * @param head compact JSON up to the bracket before the items, as jsonListHead and tableHead return it
 * @param item returns the compact JSON of an item
 */
export function* prettyPieces(head: Uint8Array, count: number, item: (index: number) => Uint8Array): Iterable<Uint8Array> {
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
