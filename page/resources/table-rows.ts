/** The part of an object's metadata that a row keeps. */
export interface RowMeta {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly creationTimestamp: string;
}

export interface Row {
  readonly key: string;
  readonly cells: readonly unknown[];
  readonly meta: RowMeta;
  /** What happened to the row a moment ago. */
  flash: 'added' | 'changed' | 'deleted' | undefined;
  /** When the flash ends, in milliseconds. */
  until: number;
  /** All that the text filter looks at, in lower case. */
  readonly text: string;
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly priority: number;
  readonly description: string;
}

/** A response, or the object of a watch event, in the form of a Table. */
export interface Table {
  readonly columnDefinitions?: readonly Column[];
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly rows?: readonly {
    readonly cells: readonly unknown[];
    readonly object: { readonly metadata: Partial<RowMeta> & { readonly resourceVersion?: string } };
  }[];
}

const flashTime = 1600;

/** The rows of one table by namespace and name, in that order, as watch events change them. */
export class TableRows {
  columns: readonly Column[] = [];
  readonly #rows = new Map<string, Row>();
  #sorted: Row[] | undefined = [];
  readonly #flashing = new Set<Row>();

  get size(): number {
    return this.#rows.size;
  }

  /** Returns the rows in order. */
  all(): readonly Row[] {
    this.#sorted ??= [...this.#rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    return this.#sorted;
  }

  clear(): void {
    this.#rows.clear();
    this.#flashing.clear();
    this.#sorted = [];
  }

  /** Adds the rows of a list. */
  addList({ columnDefinitions, rows = [] }: Table): void {
    if (columnDefinitions !== undefined && columnDefinitions.length > 0) this.columns = columnDefinitions;
    for (const { cells, object } of rows) this.#put(rowOf(cells, object.metadata));
    this.#sorted = undefined;
  }

  /** Applies one event of a watch, and returns its resourceVersion. */
  apply(type: string, { columnDefinitions, rows = [] }: Table, now: number): string | undefined {
    if (columnDefinitions !== undefined && columnDefinitions.length > 0) this.columns = columnDefinitions;
    let newest: string | undefined;
    for (const { cells, object } of rows) {
      newest = object.metadata.resourceVersion ?? newest;
      if (type === 'BOOKMARK') continue;
      const row = rowOf(cells, object.metadata);
      const before = this.#rows.get(row.key);
      row.flash = type === 'DELETED' ? 'deleted' : before === undefined || before.flash === 'deleted' ? 'added' : 'changed';
      row.until = now + flashTime;
      this.#put(row);
      this.#flashing.add(row);
    }
    return newest;
  }

  /** Ends the flashes that are over, and removes deleted rows. Returns whether others go on. */
  expire(now: number): boolean {
    for (const row of this.#flashing) {
      if (row.until > now) continue;
      this.#flashing.delete(row);
      if (row.flash === 'deleted' && this.#rows.get(row.key) === row) {
        this.#rows.delete(row.key);
        this.#sorted?.splice(this.#indexOf(row.key), 1);
      }
      row.flash = undefined;
    }
    return this.#flashing.size > 0;
  }

  #put(row: Row): void {
    const before = this.#rows.get(row.key);
    if (before !== undefined) this.#flashing.delete(before);
    this.#rows.set(row.key, row);
    if (this.#sorted === undefined) return;
    const at = this.#indexOf(row.key);
    this.#sorted.splice(at, before === undefined ? 0 : 1, row);
  }

  /** Returns where a key is, or would be, in the sorted rows. */
  #indexOf(key: string): number {
    const sorted = this.#sorted ?? [];
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.key ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function rowOf(cells: readonly unknown[], metadata: Partial<RowMeta>): Row {
  const { name = '', namespace = '', labels = {}, creationTimestamp = '' } = metadata;
  const text = `${namespace} ${cells.join(' ')} ${Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')}`.toLowerCase();
  return {
    key: `${namespace}/${name}`,
    cells,
    meta: { name, namespace, labels, creationTimestamp },
    flash: undefined,
    until: 0,
    text,
  };
}
