import { encodeJson } from '../../codec/json.ts';
import type { ListMeta } from '../../codec/list-meta.ts';
import type { MetaVersion } from '../../codec/partial-metadata.ts';
import { type IncludeObject, table, tableHead, tableRow } from '../../codec/table.ts';
import { jsonWatchFrame } from '../../codec/watch-frames.ts';
import { encodeObject } from '../../http/respond.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { jsonPieces } from './json.ts';
import { prettyPieces } from './pretty-list.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { tableRows } from './table-rows.ts';
import { bookmarkObject, objectAt } from './versioned.ts';

export interface TableEncodingOptions {
  readonly definition: ResourceDefinition;
  readonly version: MetaVersion;
  readonly include: IncludeObject;
  readonly mediaType: string;
  readonly pretty: boolean;
  readonly clock: Clock;
}

const rowsEnd = Buffer.from(']}');

/** Objects as rows of a Table, the way `kubectl get` asks for them. Rows are kept without the ages in them. */
export function tableEncoding({
  definition,
  version,
  include,
  mediaType,
  pretty,
  clock,
}: TableEncodingOptions): ResponseEncoding {
  const { columns } = definition;
  const row = (object: KubeObject, shown = include) =>
    tableRow(object, columns, shown, clock.now(), version, definition.rowConditions?.(object));
  const whole = (objects: readonly KubeObject[], meta: ListMeta) =>
    table(
      objects.map((object) => row(object)),
      columns,
      meta,
      version,
    );
  const oneOf = (object: KubeObject) => whole([object], { resourceVersion: object.metadata.resourceVersion ?? '' });
  const eventOf = (object: KubeObject, headers: boolean, shown = include): Uint8Array => {
    const meta = { resourceVersion: object.metadata.resourceVersion ?? '' };
    return encodeJson(table([row(object, shown)], headers ? columns : undefined, meta, version));
  };
  const rowAt = tableRows(definition, include, version);
  const isText = mediaType !== 'application/json';
  const encode = (value: unknown): Uint8Array => encodeObject(value, { mediaType, pretty });
  return {
    contentType: mediaType,
    ...(isText ? {} : { streamType: 'application/json' }),
    text: true,
    one: (stored) => encode(oneOf(objectAt(definition, stored))),
    oneObject: (object) => encode(oneOf(object)),
    list: (listed, meta) => {
      const items = inRowOrder(definition, listed);
      if (isText)
        return {
          pieces: [
            encode(
              whole(
                items.map((stored) => objectAt(definition, stored)),
                meta,
              ),
            ),
          ],
        };
      const pieces = pretty ? prettyPieces : jsonPieces;
      const now = clock.now();
      const item = (index: number): Uint8Array => rowAt(items[index], now);
      return { pieces: pieces(tableHead(columns, meta, version), items.length, item) };
    },
    frame: (type, stored, first) => {
      const head = tableHead(first ? columns : undefined, { resourceVersion: String(stored.revision) }, version);
      return jsonWatchFrame(type, Buffer.concat([head, rowAt(stored, clock.now()), rowsEnd]));
    },
    bookmark: (revision, first, annotations) => {
      // whoever waits for the end of the state needs the annotation that says so
      const shown = annotations !== undefined && include === 'None' ? 'Metadata' : include;
      return jsonWatchFrame('BOOKMARK', eventOf(bookmarkObject(definition, revision, annotations), first, shown));
    },
    error: (status) => jsonWatchFrame('ERROR', encodeJson(status)),
  };
}

function inRowOrder({ rowOrder }: ResourceDefinition, items: readonly StoredObject[]): readonly StoredObject[] {
  if (rowOrder === undefined) return items;
  return items
    .map((stored) => ({ stored, object: stored.decode() }))
    .sort((a, b) => rowOrder(a.object, b.object))
    .map(({ stored }) => stored);
}
