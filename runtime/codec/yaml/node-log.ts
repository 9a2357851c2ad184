/** The kinds of entries. Anchors and tags precede the node that they belong to. */
export const nodes = { scalar: 0, alias: 1, sequence: 2, mapping: 3, end: 4, anchor: 5, tag: 6 } as const;

export type NodeKind = (typeof nodes)[keyof typeof nodes];

/**
 * The number of entries in one block of the log, as a power of two. A single array would be copied whenever it grows.
 */
const shift = 10;
const mask = (1 << shift) - 1;

interface Piece {
  /** The kind, the plain flag and the line. */
  readonly heads: Int32Array;
  readonly values: (string | number)[];
}

/**
 * The nodes of a document in text order, with an end for each sequence and mapping. In place of go-yaml's tree, the log
 * takes about a dozen bytes for each node.
 */
export class NodeLog {
  #length = 0;
  readonly #pieces: Piece[] = [];

  get length(): number {
    return this.#length;
  }

  /**
   * @param value the text of a scalar, the name of an anchor, a tag, or the index of an alias' anchor
   * @param line the line, from 0
   * @param plain whether a scalar may be something other than text
   */
  push(kind: NodeKind, line: number, value: string | number = '', plain = false): void {
    const at = this.#length++;
    let piece = this.#pieces[at >> shift];
    if (piece === undefined) {
      piece = { heads: new Int32Array(mask + 1), values: new Array<string | number>(mask + 1) };
      this.#pieces.push(piece);
    }
    piece.heads[at & mask] = (line << 4) | (plain ? 8 : 0) | kind;
    piece.values[at & mask] = value;
  }

  #head(at: number): number {
    return this.#pieces[at >> shift]?.heads[at & mask] ?? nodes.end;
  }

  kind(at: number): NodeKind {
    return (this.#head(at) & 7) as NodeKind;
  }

  /** Returns the line of an entry, from 0. */
  line(at: number): number {
    return this.#head(at) >> 4;
  }

  isPlain(at: number): boolean {
    return (this.#head(at) & 8) !== 0;
  }

  text(at: number): string {
    return this.#pieces[at >> shift]?.values[at & mask] as string;
  }

  /** Returns the index of an alias' anchor. */
  target(at: number): number {
    return this.#pieces[at >> shift]?.values[at & mask] as number;
  }

  /** Returns the index of a node after its anchor and tag. */
  content(at: number): number {
    let content = at;
    while (this.kind(content) >= nodes.anchor) content++;
    return content;
  }

  /** Returns the index after a whole node. */
  after(at: number): number {
    let depth = 0;
    for (let next = at; ; next++) {
      const kind = this.kind(next);
      if (kind === nodes.sequence || kind === nodes.mapping) depth++;
      else if (kind === nodes.end) depth--;
      if (depth === 0 && kind < nodes.anchor) return next + 1;
    }
  }
}
