import type { Node } from '../../../../generated/v1.35/core/v1/types.ts';
import { zoneKey } from '../../../kinds/core/node-zone.ts';
import type { NodeInfo } from '../framework/node-info.ts';

/** The nodes by zone, listed with zones taking turns. (pkg/scheduler/backend/cache/node_tree.go) */
export class NodeTree {
  readonly #zones = new Map<string, Map<string, NodeInfo>>();
  readonly #zoneOf = new Map<string, string>();
  #list: readonly NodeInfo[] | undefined;

  /** Adds a node, or moves it if its zone has changed. */
  set(node: Node, info: NodeInfo): void {
    const zone = zoneKey(node);
    const before = this.#zoneOf.get(info.name);
    if (before === zone) return;
    this.remove(info.name);
    this.#zoneOf.set(info.name, zone);
    const nodes = this.#zones.get(zone);
    if (nodes === undefined) this.#zones.set(zone, new Map([[info.name, info]]));
    else nodes.set(info.name, info);
    this.#list = undefined;
  }

  remove(name: string): void {
    const zone = this.#zoneOf.get(name);
    if (zone === undefined) return;
    this.#zoneOf.delete(name);
    const nodes = this.#zones.get(zone);
    nodes?.delete(name);
    if (nodes?.size === 0) this.#zones.delete(zone);
    this.#list = undefined;
  }

  /** Returns the nodes, one of each zone in turn. */
  list(): readonly NodeInfo[] {
    this.#list ??= this.#inTurn();
    return this.#list;
  }

  #inTurn(): NodeInfo[] {
    const list: NodeInfo[] = [];
    let zones = [...this.#zones.values()].map((nodes) => nodes.values());
    while (zones.length > 0) {
      zones = zones.filter((nodes) => {
        const { done, value } = nodes.next();
        if (!done) list.push(value);
        return !done;
      });
    }
    return list;
  }
}
