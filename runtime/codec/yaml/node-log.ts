/** What a node of a document is; anchors and tags stand before the node that they belong to. */
export const nodes = { scalar: 0, alias: 1, sequence: 2, mapping: 3, end: 4, anchor: 5, tag: 6 } as const;

export type NodeKind = (typeof nodes)[keyof typeof nodes];

/** Nodes a piece of the log, as a power of two: what grows as a whole is copied, and is there twice meanwhile. */
const shift = 10;
const mask = (1 << shift) - 1;

/**
 * The nodes of one document in the order of their text, every sequence and mapping with its end: what go-yaml has as a
 * tree, in about a dozen bytes a node.
 */
export class NodeLog {
  #length = 0;
  /** Kind, whether it is plain, and line. */
  readonly #heads: Int32Array[] = [];
  readonly #values: (string | number)[][] = [];

  get length(): number {
    return this.#length;
  }

  /**
   * @param value the text of a scalar, the name of an anchor, a tag, or where the anchor of an alias is
   * @param line from 0
   * @param plain whether a scalar may be something else than text
   */
  push(kind: NodeKind, line: number, value: string | number = '', plain = false): void {
    const at = this.#length++;
    const piece = at >> shift;
    if ((at & mask) === 0) {
      this.#heads.push(new Int32Array(mask + 1));
      this.#values.push(new Array<string | number>(mask + 1));
    }
    this.#heads[piece][at & mask] = (line << 4) | (plain ? 8 : 0) | kind;
    this.#values[piece][at & mask] = value;
  }

  #head(at: number): number {
    return this.#heads[at >> shift][at & mask];
  }

  kind(at: number): NodeKind {
    return (this.#head(at) & 7) as NodeKind;
  }

  /** From 0. */
  line(at: number): number {
    return this.#head(at) >> 4;
  }

  isPlain(at: number): boolean {
    return (this.#head(at) & 8) !== 0;
  }

  text(at: number): string {
    return this.#values[at >> shift][at & mask] as string;
  }

  /** Where the node of an alias is: its anchor. */
  target(at: number): number {
    return this.#values[at >> shift][at & mask] as number;
  }

  /** Behind the anchor and tag of a node. */
  content(at: number): number {
    let content = at;
    while (this.kind(content) >= nodes.anchor) content++;
    return content;
  }

  /** Behind the whole of a node. */
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
