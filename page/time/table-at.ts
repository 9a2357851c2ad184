import type { Column } from '../resources/table-rows.ts';
import { pathOf, type Resource } from '../server/discovery.ts';
import { request } from '../server/request.ts';

interface Table {
  readonly columnDefinitions?: readonly Column[];
  readonly rows?:
    | readonly { readonly cells: readonly unknown[]; readonly object: { readonly metadata: { name: string; namespace?: string } } }[]
    | null;
}

/** A row of a table at one revision. */
export interface PastRow {
  readonly namespace: string;
  readonly name: string;
  readonly cells: readonly string[];
}

export interface PastTable {
  readonly columns: readonly string[];
  readonly rows: readonly PastRow[];
}

/** The most rows that are shown of an earlier state. */
const maxRows = 500;

/** Returns a resource as it was at a revision. @throws ApiError 410 for a compacted revision */
export async function tableAt(resource: Resource, revision: number, signal: AbortSignal): Promise<PastTable> {
  const query = new URLSearchParams({ resourceVersion: String(revision), resourceVersionMatch: 'Exact', limit: String(maxRows) });
  const { columnDefinitions = [], rows } = await request<Table>(`${pathOf(resource)}?${query}`, {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    signal,
  });
  const shown = columnDefinitions.map((column, at) => ({ ...column, at })).filter(({ priority, name }) => priority === 0 && name !== 'Age');
  return {
    columns: shown.map(({ name }) => name),
    rows: (rows ?? []).map(({ cells, object: { metadata } }) => ({
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      cells: shown.map(({ at }) => textOf(cells[at])),
    })),
  };
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
