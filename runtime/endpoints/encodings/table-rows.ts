import { encodeJson, stringifyJson } from '../../codec/json.ts';
import type { MetaVersion } from '../../codec/partial-metadata.ts';
import { type IncludeObject, tableRow } from '../../codec/table.ts';
import { anyTime } from '../../machinery/age.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { partialHead } from './partial-json.ts';
import { fillAges, rowTemplate } from './row-template.ts';
import { metadataSpan, objectToEncode, type Span } from './stored-text.ts';
import { isStorageVersion, objectAt } from './versioned.ts';

/*
 * What is kept of a row: its cells without their ages, and where in the object's JSON is what goes with them. The
 * metadata, which is most of a row, is copied from the stored bytes.
 *
 *     start (4)  end (4)  row template of `{"cells":[...]`
 */
const spanBytes = 8;
const noBytes = new Uint8Array();
const noObject = ',"object":null}';

/** Tells the rows of one form from those of another: columns of custom resources change with their definition. */
let formsMade = 0;

/** What of the object a row carries, as a piece of its stored JSON. */
interface RowObject {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  spanOf(json: Uint8Array): Span | undefined;
}

/** The JSON of one row at a time in milliseconds. */
export function tableRows(
  definition: ResourceDefinition,
  include: IncludeObject,
  version: MetaVersion,
): (stored: StoredObject, now: number) => Uint8Array {
  const { columns } = definition;
  const row = (object: KubeObject, shown: IncludeObject, now: number) =>
    tableRow(object, columns, shown, now, version, definition.rowConditions?.(object));
  const anew = (stored: StoredObject, now: number) => encodeJson(row(objectAt(definition, stored), include, now));
  if (!isStorageVersion(definition)) return anew;
  const { head, tail, spanOf } = rowObject(include, version);
  const cells = (object: KubeObject, now: number): string =>
    stringifyJson(row(object, 'None', now)).slice(0, -noObject.length);
  const key = `table ${formsMade++}`;
  /** No bytes where a row cannot be kept: it does not become what it would be if made now. */
  const make = (stored: StoredObject, now: number): Uint8Array => {
    const object = objectToEncode(definition, stored);
    const template = rowTemplate(cells(object, anyTime));
    const span = spanOf(stored.json);
    if (template === undefined || span === undefined) return noBytes;
    return Buffer.from(fillAges(template, now)).equals(Buffer.from(cells(object, now)))
      ? kept(template, span)
      : noBytes;
  };
  return (stored, now) => {
    const bytes = stored.cacheEncode(key, () => make(stored, now));
    if (bytes.length === 0) return anew(stored, now);
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const piece = stored.json.subarray(view.readUInt32BE(0), view.readUInt32BE(4));
    return Buffer.concat([fillAges(view.subarray(spanBytes), now), head, piece, tail]);
  };
}

function kept(template: Uint8Array, { start, end }: Span): Uint8Array {
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
