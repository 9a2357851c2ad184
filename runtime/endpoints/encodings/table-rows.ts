import { encodeJson, stringifyJson } from '../../codec/json.ts';
import type { MetaVersion } from '../../codec/partial-metadata.ts';
import { type IncludeObject, includedObject, rowCells, type TableRow } from '../../codec/table.ts';
import { anyTime } from '../../machinery/age.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, TableCell } from '../../machinery/resource.ts';
import { isStorageVersion } from '../../resources/views.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { JsonWriter, Piece } from './list-body.ts';
import { partialHead } from './partial-metadata.ts';
import { FilledRow, filledText, rowTemplate } from './row-template.ts';
import { borrowJson, metadataSpan, objectToEncode, type Span } from './stored-text.ts';
import { objectAt } from './versioned.ts';

/*
 * The cached part of a row: its cells without ages, and the span of the object's JSON that the row includes. The metadata,
 * which is most of a row, is copied from the stored bytes.
 *
 *     start (4)  end (4)  row template of `{"cells":[...]`
 */
const spanBytes = 8;
const noBytes = new Uint8Array();
const noObject = ',"object":null}';

/** Numbers the encoders, so that each has its own cached rows: the columns of custom resources change. */
let encoderCount = 0;

/** The part of its object that a row includes, as a span of the stored JSON. */
interface RowObject {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  spanOf(json: Uint8Array): Span | undefined;
}

/** Encodes the rows of a table as JSON. Rows of objects at the storage version are cached without their ages. */
export class TableRowEncoder {
  readonly #definition: ResourceDefinition;
  readonly #include: IncludeObject;
  readonly #version: MetaVersion;
  readonly #isStorageVersion: boolean;
  readonly #object: RowObject;
  readonly #key: string;

  constructor(definition: ResourceDefinition, include: IncludeObject, version: MetaVersion) {
    this.#definition = definition;
    this.#include = include;
    this.#version = version;
    this.#isStorageVersion = isStorageVersion(definition);
    this.#object = rowObject(include, version);
    this.#key = `table ${encoderCount++}`;
  }

  /** Prints a row that is not encoded. @param now milliseconds since the epoch @param include default: the encoder's */
  print(object: KubeObject, now: number, include = this.#include): TableRow {
    const { columns } = this.#definition;
    const conditions = this.#definition.rowConditions?.(object);
    return {
      cells: rowCells(object, columns, now),
      ...defined({ conditions }),
      object: includedObject(object, include, this.#version, this.#definition.writeRules.hiddenAnnotations),
    };
  }

  /** Returns the JSON of a row. @param now milliseconds since the epoch */
  encode(stored: StoredObject, now: number): Piece {
    const hides = this.#include === 'Metadata' && this.#definition.writeRules.hiddenAnnotations !== undefined;
    if (!this.#isStorageVersion || hides) return this.#encodeUncached(stored, now);
    const cached = stored.cacheEncode(this.#key, () => this.#makeCached(stored, now));
    if (cached.length === 0) return this.#encodeUncached(stored, now);
    return new CachedRow(cached, now, stored, this.#object);
  }

  #encodeUncached(stored: StoredObject, now: number): Uint8Array {
    return encodeJson(this.print(objectAt(this.#definition, stored), now));
  }

  /** Returns no bytes for a row that cannot be cached: filling in the ages does not result in the row at another time. */
  #makeCached(stored: StoredObject, now: number): Uint8Array {
    const object = objectToEncode(this.#definition, stored);
    const row = this.print(object, anyTime, 'None');
    const template = rowTemplate(stringifyJson(row).slice(0, -noObject.length));
    const span = this.#object.spanOf(borrowJson(stored));
    if (template === undefined || span === undefined) return noBytes;
    return isFilled(row.cells, rowCells(object, this.#definition.columns, now), now) ? withSpan(template, span) : noBytes;
  }
}

/** A row from the cache, which writes itself into a list. */
class CachedRow implements JsonWriter {
  readonly jsonLength: number;
  readonly #row: FilledRow;
  readonly #span: Span;
  readonly #stored: StoredObject;
  readonly #object: RowObject;

  constructor(cached: Uint8Array, now: number, stored: StoredObject, object: RowObject) {
    this.#span = spanIn(cached);
    this.#row = new FilledRow(cached.subarray(spanBytes), now);
    this.#stored = stored;
    this.#object = object;
    this.jsonLength = this.#row.length + object.head.length + this.#span.end - this.#span.start + object.tail.length;
  }

  get json(): Uint8Array {
    const bytes = Buffer.allocUnsafe(this.jsonLength);
    this.writeJson(bytes, 0);
    return bytes;
  }

  writeJson(target: Uint8Array, start: number): number {
    const { head, tail } = this.#object;
    const { start: from, end } = this.#span;
    let to = this.#row.write(target, start);
    target.set(head, to);
    to += head.length;
    if (end > from) target.set(borrowJson(this.#stored).subarray(from, end), to);
    to += end - from;
    target.set(tail, to);
    return to + tail.length;
  }
}

/** Reports whether cells with marks, filled with ages, are the cells at a time. Other cells depend on the time in their own way. */
function isFilled(cells: readonly TableCell[], printed: readonly TableCell[], now: number): boolean {
  return cells.every((cell, index) => {
    const other = printed[index];
    if (typeof cell === 'string') return filledText(cell, now) === other;
    return cell === other || stringifyJson(cell) === stringifyJson(other);
  });
}

function spanIn(cached: Uint8Array): Span {
  const view = Buffer.from(cached.buffer, cached.byteOffset, spanBytes);
  return { start: view.readUInt32BE(0), end: view.readUInt32BE(4) };
}

function withSpan(template: Uint8Array, { start, end }: Span): Uint8Array {
  const bytes = Buffer.allocUnsafe(spanBytes + template.length);
  bytes.writeUInt32BE(start, 0);
  bytes.writeUInt32BE(end, 4);
  bytes.set(template, spanBytes);
  return bytes;
}

function rowObject(include: IncludeObject, version: MetaVersion): RowObject {
  const before = Buffer.from(',"object":');
  switch (include) {
    case 'None':
      return { head: Buffer.from(noObject), tail: noBytes, spanOf: () => ({ start: 0, end: 0 }) };
    case 'Metadata':
      return {
        head: Buffer.concat([before, partialHead(version)]),
        tail: Buffer.from('}}'),
        spanOf: metadataSpan,
      };
    case 'Object':
      return { head: before, tail: Buffer.from('}'), spanOf: (json) => ({ start: 0, end: json.length }) };
  }
}
