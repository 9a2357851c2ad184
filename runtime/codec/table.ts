import { type Descriptions, descriptions } from '../machinery/descriptions.ts';
import type { KubeObject } from '../machinery/object.ts';
import { newRowBudget, type TableCell, type TableColumn, type TableRowCondition } from '../machinery/resource.ts';
import { stringifyJson } from './json.ts';
import { type ListMeta, listMetaObject } from './list-meta.ts';
import { type MetaVersion, type PartialObjectMetadata, partialObjectMetadata } from './partial-metadata.ts';

/** The part of the object that a row contains. (metav1.IncludeObjectPolicy) */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** metav1.TableColumnDefinition */
export interface TableColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** metav1.TableRow */
export interface TableRow {
  readonly cells: readonly TableCell[];
  readonly conditions?: readonly TableRowCondition[];
  readonly object: KubeObject | PartialObjectMetadata | null;
}

/** metav1.Table in its JSON shape. */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  /** The headers; null if they were already sent, as for the second and later events of a watch. */
  readonly columnDefinitions: readonly TableColumnDefinition[] | null;
  readonly rows: readonly TableRow[] | null;
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** @param known Kubernetes' own descriptions, possibly incomplete */
export function columnDefinitions(columns: readonly TableColumn[], known: Descriptions = descriptions): TableColumnDefinition[] {
  const declared = columns.filter(({ undeclared }) => undeclared !== true);
  return declared.map(({ name, type, format, description, field, priority }) => ({
    name,
    type,
    format,
    description: (field && known.field(objectMeta, field)) ?? description,
    priority,
  }));
}

/** Returns the cells of a row. @param now milliseconds since the epoch, for ages */
export function rowCells(object: KubeObject, columns: readonly TableColumn[], now: number): readonly TableCell[] {
  const budget = newRowBudget();
  return columns.map((column) => column.cell(object, now, budget));
}

/** Returns the object of a row, by the `includeObject` of the query. */
export function includedObject(
  object: KubeObject,
  include: IncludeObject,
  version: MetaVersion = 'v1',
  hiddenAnnotations: readonly string[] = [],
): TableRow['object'] {
  switch (include) {
    case 'None':
      return null;
    case 'Metadata':
      return partialObjectMetadata(object, version, hiddenAnnotations);
    case 'Object':
      return object;
  }
}

/** Returns a table of rows. Without `columns` it has no headers (`noHeaders`). */
export function table(
  rows: readonly TableRow[],
  columns: readonly TableColumn[] | undefined,
  meta: ListMeta,
  version: MetaVersion = 'v1',
): Table {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMetaObject(meta),
    columnDefinitions: columns === undefined ? null : columnDefinitions(columns),
    rows,
  };
}

/**
 * Returns the start of a JSON table. The encoded rows follow, with jsonListComma between them, and then jsonListEnd, so
 * that rows can be encoded once, cached, and streamed.
 */
export function tableHead(columns: readonly TableColumn[] | undefined, meta: ListMeta, version: MetaVersion = 'v1'): Uint8Array {
  const text = stringifyJson(table([], columns, meta, version));
  return Buffer.from(text.slice(0, -']}'.length));
}
