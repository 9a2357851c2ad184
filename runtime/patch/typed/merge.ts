import { isJsonObject, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { ListMerge, MapMerge, MergeSchema, StructMerge } from '../../machinery/schema/merge-schema.ts';
import type { PathElement } from '../field-set/path-element.ts';
import { elementsOf } from './list-element.ts';
import { memberSchema, shapeOf } from './schema-of.ts';

/**
 * `config` laid over `live`: leaves of the config win, nothing is taken away. Lists keep the order of `live`, and take
 * that of the config among the items it names. The result shares parts with both; undefined when nothing is left.
 * (structured-merge-diff typed/merge.go)
 */
export function mergeTyped(live: Json | undefined, config: Json | undefined, schema: MergeSchema): Json | undefined {
  const shape = shapeOf(schema, config === undefined ? live : config);
  const whole = config === undefined ? live : config;
  if (shape.kind === 'scalar') return whole;
  if (shape.kind === 'list') {
    const below = Array.isArray(live) ? live : [];
    const above = Array.isArray(config) ? config : [];
    if (shape.listType === 'atomic' || (below.length === 0 && above.length === 0)) return whole;
    return mergeLists(below, above, shape);
  }
  const below = isJsonObject(live) ? live : {};
  const above = isJsonObject(config) ? config : {};
  if (shape.mapType === 'atomic' || (Object.keys(below).length === 0 && Object.keys(above).length === 0)) return whole;
  return mergeMaps(below, above, shape);
}

function mergeMaps(live: JsonObject, config: JsonObject, schema: StructMerge | MapMerge): JsonObject | undefined {
  const out: JsonObject = {};
  let any = false;
  const put = (name: string, below: Json | undefined, above: Json | undefined): void => {
    if (below === undefined && above === undefined) return;
    const merged = mergeTyped(below, above, memberSchema(schema, name));
    if (merged === undefined) return;
    setMember(out, name, merged);
    any = true;
  };
  for (const name of Object.keys(live)) put(name, live[name], Object.hasOwn(config, name) ? config[name] : undefined);
  for (const name of Object.keys(config)) if (!Object.hasOwn(live, name)) put(name, undefined, config[name]);
  return any ? out : undefined;
}

/** Items in their order, with the item that each name stands for: null for a name that stands for several. */
interface Indexed {
  readonly elements: PathElement[];
  readonly items: Json[];
  readonly named: Map<PathElement, Json>;
}

function indexed(list: ListMerge, items: readonly Json[]): Indexed {
  const index: Indexed = { elements: [], items: [], named: new Map() };
  for (const [i, element] of elementsOf(list, items).entries()) {
    if (element === undefined) continue;
    index.elements.push(element);
    index.items.push(items[i]);
    index.named.set(element, index.named.has(element) ? null : items[i]);
  }
  return index;
}

function mergeLists(below: readonly Json[], above: readonly Json[], list: ListMerge): Json[] | undefined {
  const live = indexed(list, below);
  const config = indexed(list, above);
  const schema = list.items();
  const out: Json[] = [];
  const done = new Set<PathElement>();
  const shared = config.elements.filter((element) => live.named.has(element));
  let next = 0;
  const take = (left: Json | undefined, right: Json | undefined): void => {
    const merged = mergeTyped(left, right, schema);
    if (merged !== undefined) out.push(merged);
  };
  const takeConfig = (element: PathElement): void => {
    done.add(element);
    take(live.named.get(element), config.named.get(element));
  };

  let l = 0;
  let c = 0;
  while (l < live.elements.length || c < config.elements.length) {
    if (l < live.elements.length && c < config.elements.length) {
      const element = live.elements[l];
      if (element === config.elements[c]) {
        takeConfig(element);
        l++;
        c++;
        next++;
        continue;
      }
      // named by both, and not the one whose turn it is
      if (config.named.has(element) && next < shared.length && shared[next] !== element) {
        l++;
        continue;
      }
    }
    if (l < live.elements.length) {
      const element = live.elements[l];
      if (!config.named.has(element)) {
        take(live.items[l], undefined);
        l++;
        continue;
      }
      if (done.has(element)) l++;
    }
    if (c < config.elements.length) {
      const element = config.elements[c];
      takeConfig(element);
      c++;
      if (shared[next] === element) next++;
    }
  }
  return out.length > 0 ? out : undefined;
}
