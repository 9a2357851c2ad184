import { encodeJson, stringifyJson } from '../../codec/json.ts';
import type { ListMeta } from '../../codec/list-meta.ts';
import type { MetaVersion } from '../../codec/partial-metadata.ts';
import { type IncludeObject, table, tableHead, tableRow } from '../../codec/table.ts';
import { jsonWatchFrame } from '../../codec/watch-frames.ts';
import { encodeObject } from '../../http/respond.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { anyTime } from '../../structural/columns/index.ts';
import type { Form } from './form.ts';
import { jsonPieces } from './json.ts';
import { prettyPieces } from './pretty-list.ts';
import { rowConditions } from './row-conditions.ts';
import { rowOrder } from './row-order.ts';
import { fillAges, rowTemplate } from './row-template.ts';
import { bookmarkObject, objectAt } from './versioned.ts';

export interface TableFormParts {
  readonly definition: ResourceDefinition;
  readonly version: MetaVersion;
  readonly include: IncludeObject;
  readonly mediaType: string;
  readonly pretty: boolean;
  readonly clock: Clock;
}

const noBytes = new Uint8Array();
/** Tells the rows of one form from those of another: columns of custom resources change with their definition. */
let formsMade = 0;

/** Objects as rows of a Table, the way `kubectl get` asks for them. Rows are kept without the ages in them. */
export function tableForm({ definition, version, include, mediaType, pretty, clock }: TableFormParts): Form {
  const { columns } = definition;
  const conditionsOf = rowConditions(definition);
  const ordered = rowOrder(definition) ?? ((items: readonly StoredObject[]) => items);
  const row = (object: KubeObject, shown = include) =>
    tableRow(object, columns, shown, clock.now(), version, conditionsOf?.(object));
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
  const key = `table ${formsMade++}`;
  const rowText = (object: KubeObject, now: number): string =>
    stringifyJson(tableRow(object, columns, include, now, version, conditionsOf?.(object)));
  /** Empty where a row cannot be kept: it does not become what it would be if made now. */
  const template = (stored: StoredObject, now: number): Uint8Array =>
    stored.form(key, () => {
      const object = objectAt(definition, stored);
      const made = rowTemplate(rowText(object, anyTime));
      return made && Buffer.from(fillAges(made, now)).equals(Buffer.from(rowText(object, now))) ? made : noBytes;
    });
  const rowsAt = (items: readonly StoredObject[], now: number) => (index: number) => {
    const kept = template(items[index], now);
    return kept.length > 0 ? fillAges(kept, now) : Buffer.from(rowText(objectAt(definition, items[index]), now));
  };
  const isText = mediaType !== 'application/json';
  const encode = (value: unknown): Uint8Array => encodeObject(value, { mediaType, pretty });
  return {
    contentType: mediaType,
    ...(isText ? {} : { streamType: 'application/json' }),
    text: true,
    one: (stored) => encode(oneOf(objectAt(definition, stored))),
    oneObject: (object) => encode(oneOf(object)),
    list: (listed, meta) => {
      const items = ordered(listed);
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
      return { pieces: pieces(tableHead(columns, meta, version), items.length, rowsAt(items, clock.now())) };
    },
    frame: (type, stored, first) => jsonWatchFrame(type, eventOf(objectAt(definition, stored), first)),
    bookmark: (revision, first, annotations) => {
      // whoever waits for the end of the state needs the annotation that says so
      const shown = annotations !== undefined && include === 'None' ? 'Metadata' : include;
      return jsonWatchFrame('BOOKMARK', eventOf(bookmarkObject(definition, revision, annotations), first, shown));
    },
    error: (status) => jsonWatchFrame('ERROR', encodeJson(status)),
  };
}
