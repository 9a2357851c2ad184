import { encodeJson } from '../../codec/json.ts';
import type { ListMeta } from '../../codec/list-meta.ts';
import type { MetaVersion } from '../../codec/partial-metadata.ts';
import { type IncludeObject, type Table, table, tableHead } from '../../codec/table.ts';
import { jsonWatchFrame, type WatchEventType } from '../../codec/watch-frames.ts';
import { mediaTypes } from '../../http/negotiation.ts';
import { encodeObject } from '../../http/respond.ts';
import type { Clock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { type Bookmark, bookmarkObject } from './bookmark.ts';
import { jsonPieces } from './json.ts';
import { bytesOf, type ListBody, type Piece } from './list-body.ts';
import { prettyPieces } from './pretty-list.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { TableRowEncoder } from './table-rows.ts';
import { objectAt } from './versioned.ts';

export interface TableOptions {
  readonly definition: ResourceDefinition;
  readonly version: MetaVersion;
  readonly include: IncludeObject;
  readonly mediaType: string;
  readonly pretty: boolean;
  /** The clock for ages. */
  readonly clock: Clock;
}

const rowsEnd = Buffer.from(']}');

/** Encodes objects as rows of a Table, which `kubectl get` asks for. (rest.TableConvertor) */
export class TableEncoding implements ResponseEncoding {
  readonly contentType: string;
  readonly streamType?: string | undefined;
  readonly isText = true;
  readonly #options: TableOptions;
  readonly #rows: TableRowEncoder;

  constructor(options: TableOptions) {
    const { definition, include, version, mediaType } = options;
    this.contentType = mediaType;
    if (mediaType === mediaTypes.json) this.streamType = mediaType;
    this.#options = options;
    this.#rows = new TableRowEncoder(definition, include, version);
  }

  encodeStored(stored: StoredObject): Uint8Array {
    return this.encode(objectAt(this.#options.definition, stored));
  }

  encode(object: KubeObject): Uint8Array {
    return encodeObject(this.#table([object], metaOf(object)), this.#options);
  }

  encodeList(listed: readonly StoredObject[], meta: ListMeta): ListBody {
    const { definition, version, mediaType, pretty, clock } = this.#options;
    const items = inRowOrder(definition, listed);
    if (mediaType !== mediaTypes.json) {
      const objects = items.map((stored) => objectAt(definition, stored));
      return { pieces: [encodeObject(this.#table(objects, meta), this.#options)] };
    }
    if (items.length === 0 && isDefault(definition)) return { pieces: [encodeObject(this.#table([], meta), this.#options)] };
    const now = clock.now();
    const row = (index: number): Piece => this.#rows.encode(elementAt(items, index), now);
    const head = tableHead(definition.columns, meta, version);
    if (pretty) return { pieces: prettyPieces(head, items.length, (index) => bytesOf(row(index))) };
    return { pieces: jsonPieces(head, items.length, row) };
  }

  /** Only the first event of a stream has the column definitions. */
  encodeEvent(type: WatchEventType, stored: StoredObject, first: boolean): Uint8Array {
    const { definition, version, clock } = this.#options;
    const meta = { resourceVersion: String(stored.revision) };
    const head = tableHead(first ? definition.columns : undefined, meta, version);
    return jsonWatchFrame(type, Buffer.concat([head, bytesOf(this.#rows.encode(stored, clock.now())), rowsEnd]));
  }

  encodeBookmark(bookmark: Bookmark, first: boolean): Uint8Array {
    const { definition, version, include, clock } = this.#options;
    const object = bookmarkObject(definition, bookmark);
    // A client that waits for the end of the initial events needs the annotation for it.
    const shown = bookmark.endsInitialEvents && include === 'None' ? 'Metadata' : include;
    const row = this.#rows.print(object, clock.now(), shown);
    const columns = first ? definition.columns : undefined;
    return jsonWatchFrame('BOOKMARK', encodeJson(table([row], columns, metaOf(object), version)));
  }

  encodeError(status: object): Uint8Array {
    return jsonWatchFrame('ERROR', encodeJson(status));
  }

  #table(objects: readonly KubeObject[], meta: ListMeta): Table {
    const { definition, version, clock } = this.#options;
    const rows = objects.map((object) => this.#rows.print(object, clock.now()));
    const result = table(rows, definition.columns, meta, version);
    return rows.length === 0 && isDefault(definition) ? { ...result, rows: null } : result;
  }
}

/** Upstream's table of kinds without columns of their own has no rows at first. (rest.NewDefaultTableConvertor) */
const isDefault = ({ columns }: ResourceDefinition): boolean => columns.at(1)?.name === 'Created At';

const metaOf = ({ metadata }: KubeObject): ListMeta => ({ resourceVersion: metadata.resourceVersion ?? '' });

function inRowOrder({ rowOrder }: ResourceDefinition, items: readonly StoredObject[]): readonly StoredObject[] {
  if (rowOrder === undefined) return items;
  return items
    .map((stored) => ({ stored, object: stored.decode() }))
    .sort((a, b) => rowOrder(a.object, b.object))
    .map(({ stored }) => stored);
}
