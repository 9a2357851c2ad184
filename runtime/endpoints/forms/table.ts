import { encodeJson } from '../../codec/json.ts';
import type { ListMeta } from '../../codec/list-meta.ts';
import type { MetaVersion } from '../../codec/partial-metadata.ts';
import { type IncludeObject, table, tableHead, tableRow } from '../../codec/table.ts';
import { jsonWatchFrame } from '../../codec/watch-frames.ts';
import { encodeYaml } from '../../codec/yaml.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { Form } from './form.ts';
import { jsonPieces } from './json.ts';
import { bookmarkObject, objectAt } from './versioned.ts';

export interface TableFormParts {
  readonly definition: ResourceDefinition;
  readonly version: MetaVersion;
  readonly include: IncludeObject;
  readonly yaml: boolean;
  readonly clock: Clock;
}

/** Objects as rows of a Table, the way `kubectl get` asks for them. Cells hold ages, so rows are made afresh. */
export function tableForm({ definition, version, include, yaml, clock }: TableFormParts): Form {
  const { columns } = definition;
  const row = (object: KubeObject) => tableRow(object, columns, include, clock.now(), version);
  const whole = (objects: readonly KubeObject[], meta: ListMeta) => table(objects.map(row), columns, meta, version);
  const oneOf = (object: KubeObject) => whole([object], { resourceVersion: object.metadata.resourceVersion ?? '' });
  const eventOf = (object: KubeObject, headers: boolean): Uint8Array => {
    const meta = { resourceVersion: object.metadata.resourceVersion ?? '' };
    return encodeJson(table([row(object)], headers ? columns : undefined, meta, version));
  };
  const encode = yaml ? encodeYaml : (value: unknown) => Buffer.concat([encodeJson(value), Buffer.from('\n')]);
  return {
    contentType: yaml ? 'application/yaml' : 'application/json',
    ...(yaml ? {} : { streamType: 'application/json' }),
    text: true,
    one: (stored) => encode(oneOf(objectAt(definition, stored))),
    oneObject: (object) => encode(oneOf(object)),
    list: (items, meta) => ({
      pieces: yaml
        ? [
            encodeYaml(
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
    bookmark: (revision, annotations) =>
      jsonWatchFrame('BOOKMARK', eventOf(bookmarkObject(definition, revision, annotations), false)),
    error: (status) => jsonWatchFrame('ERROR', encodeJson(status)),
  };
}
