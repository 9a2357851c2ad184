/** What a node of a document is; anchors and tags stand before the node that they belong to. */
export const nodes = { scalar: 0, alias: 1, sequence: 2, mapping: 3, end: 4, anchor: 5, tag: 6 } as const;

export type NodeKind = (typeof nodes)[keyof typeof nodes];

/**
 * The nodes of one document in the order of their text, every sequence and mapping with its end: what go-yaml has as a
 * tree, in about a dozen bytes a node.
 */
export class NodeLog {
  /** Kind, whether it is plain, and line. */
  #heads = new Int32Array(256);
  readonly #values: (string | number)[] = [];

  get length(): number {
    return this.#values.length;
  }

  /**
   * @param value the text of a scalar, the name of an anchor, a tag, or where the anchor of an alias is
   * @param line from 0
   * @param plain whether a scalar may be something else than text
   */
  push(kind: NodeKind, line: number, value: string | number = '', plain = false): void {
    const at = this.#values.push(value) - 1;
    if (at === this.#heads.length) {
      const heads = new Int32Array(at * 2);
      heads.set(this.#heads);
      this.#heads = heads;
    }
    this.#heads[at] = (line << 4) | (plain ? 8 : 0) | kind;
  }

  kind(at: number): NodeKind {
    return (this.#heads[at] & 7) as NodeKind;
  }

  /** From 0. */
  line(at: number): number {
    return this.#heads[at] >> 4;
  }

  isPlain(at: number): boolean {
    return (this.#heads[at] & 8) !== 0;
  }

  text(at: number): string {
    return this.#values[at] as string;
  }

  /** Where the node of an alias is: its anchor. */
  target(at: number): number {
    return this.#values[at] as number;
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
