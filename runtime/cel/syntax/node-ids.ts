import type { NodeId } from './ast.ts';
import { stopped } from './cursor.ts';
import type { Issues } from './errors.ts';

/**
 * The maximum number of nodes. Nested macros that copy their target can expand to far more nodes than the expression
 * has.
 */
const maxNodes = 300_000;

/** Allocates node ids and records their positions. */
export class NodeIds {
  /** UTF-16 offsets by node id. */
  readonly offsets = new Map<NodeId, number>();
  readonly #issues: Issues;
  #nextId = 1;

  constructor(issues: Issues) {
    this.#issues = issues;
  }

  /** Allocates an id. With too many nodes, reports that and throws `stopped`. */
  at(offset: number): NodeId {
    const id = this.#nextId++;
    if (id > maxNodes) {
      if (id === maxNodes + 1) this.#issues.report(undefined, `expression node count exceeds limit: ${maxNodes}`);
      throw stopped;
    }
    this.offsets.set(id, offset);
    return id;
  }
}
