import { encodeJson, stringifyJson } from '../../codec/json.ts';
import type { MetaVersion } from '../../codec/partial-metadata.ts';
import { type IncludeObject, includedObject, rowCells, type TableRow } from '../../codec/table.ts';
import { anyTime } from '../../machinery/age.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { isStorageVersion } from '../../resources/views.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { partialHead } from './partial-metadata.ts';
import { fillAges, rowTemplate } from './row-template.ts';
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
  encode(stored: StoredObject, now: number): Uint8Array {
    const hides = this.#include === 'Metadata' && this.#definition.writeRules.hiddenAnnotations !== undefined;
    if (!this.#isStorageVersion || hides) return this.#encodeUncached(stored, now);
    const cached = stored.cacheEncode(this.#key, () => this.#makeCached(stored, now));
    if (cached.length === 0) return this.#encodeUncached(stored, now);
    const view = Buffer.from(cached.buffer, cached.byteOffset, cached.byteLength);
    const object = borrowJson(stored).subarray(view.readUInt32BE(0), view.readUInt32BE(4));
    return Buffer.concat([fillAges(view.subarray(spanBytes), now), this.#object.head, object, this.#object.tail]);
  }

  #encodeUncached(stored: StoredObject, now: number): Uint8Array {
    return encodeJson(this.print(objectAt(this.#definition, stored), now));
  }

  /** Returns no bytes for a row that cannot be cached: filling in the ages does not result in the row at another time. */
  #makeCached(stored: StoredObject, now: number): Uint8Array {
    const object = objectToEncode(this.#definition, stored);
    const template = rowTemplate(this.#cells(object, anyTime));
    const span = this.#object.spanOf(borrowJson(stored));
    if (template === undefined || span === undefined) return noBytes;
    const isExact = Buffer.from(fillAges(template, now)).equals(Buffer.from(this.#cells(object, now)));
    return isExact ? withSpan(template, span) : noBytes;
  }

  #cells(object: KubeObject, now: number): string {
    return stringifyJson(this.print(object, now, 'None')).slice(0, -noObject.length);
  }
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
