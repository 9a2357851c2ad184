import { encodeJson } from '../../codec/json.ts';
import type { ListMeta } from '../../codec/list-meta.ts';
import type { MetaVersion } from '../../codec/partial-metadata.ts';
import { type IncludeObject, table, tableHead, tableRow } from '../../codec/table.ts';
import { jsonWatchFrame } from '../../codec/watch-frames.ts';
import { encodeObject } from '../../http/respond.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { Form } from './form.ts';
import { jsonPieces } from './json.ts';
import { rowConditions } from './row-conditions.ts';
import { bookmarkObject, objectAt } from './versioned.ts';

export interface TableFormParts {
  readonly definition: ResourceDefinition;
  readonly version: MetaVersion;
  readonly include: IncludeObject;
  readonly mediaType: string;
  readonly pretty: boolean;
  readonly clock: Clock;
}

/** Objects as rows of a Table, the way `kubectl get` asks for them. Cells hold ages, so rows are made afresh. */
export function tableForm({ definition, version, include, mediaType, pretty, clock }: TableFormParts): Form {
  const { columns } = definition;
  const conditionsOf = rowConditions(definition);
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
  const isText = mediaType !== 'application/json';
  const encode = (value: unknown): Uint8Array => encodeObject(value, { mediaType, pretty });
  return {
    contentType: mediaType,
    ...(isText ? {} : { streamType: 'application/json' }),
    text: true,
    one: (stored) => encode(oneOf(objectAt(definition, stored))),
    oneObject: (object) => encode(oneOf(object)),
    list: (items, meta) => ({
      pieces:
        isText || pretty
          ? [
              encode(
                whole(
                  items.map((stored) => objectAt(definition, stored)),
                  meta,
                ),
              ),
            ]
          : jsonPieces(tableHead(columns, meta, version), items.length, (index) =>
              encodeJson(row(objectAt(definition, items[index]))),
            ),
    }),
    frame: (type, stored, first) => jsonWatchFrame(type, eventOf(objectAt(definition, stored), first)),
    bookmark: (revision, first, annotations) => {
      // whoever waits for the end of the state needs the annotation that says so
      const shown = annotations !== undefined && include === 'None' ? 'Metadata' : include;
      return jsonWatchFrame('BOOKMARK', eventOf(bookmarkObject(definition, revision, annotations), first, shown));
    },
    error: (status) => jsonWatchFrame('ERROR', encodeJson(status)),
  };
}
