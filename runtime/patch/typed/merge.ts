import { isJsonObject, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { ListMerge, MapMerge, MergeSchema, StructMerge } from '../../machinery/schema/merge-schema.ts';
import type { PathElement } from '../fieldpath/path-element.ts';
import { memberSchema, resolveAtom } from './atom.ts';
import { pathElementsOf } from './list-item.ts';

/**
 * Merges `config` into `live`. Leaves of `config` replace leaves of `live`, and nothing is removed. Lists keep the
 * order of `live`, but the items of `config` keep theirs. The result may share parts with both; it is undefined if
 * empty. (structured-merge-diff typed/merge.go)
 */
export function mergeTyped(live: Json | undefined, config: Json | undefined, schema: MergeSchema): Json | undefined {
  const atom = resolveAtom(schema, config === undefined ? live : config);
  const whole = config === undefined ? live : config;
  if (atom.kind === 'scalar') return whole;
  if (atom.kind === 'list') {
    const liveItems = Array.isArray(live) ? live : [];
    const configItems = Array.isArray(config) ? config : [];
    if (atom.listType === 'atomic' || (liveItems.length === 0 && configItems.length === 0)) return whole;
    return mergeLists(liveItems, configItems, atom);
  }
  const liveMembers = isJsonObject(live) ? live : {};
  const configMembers = isJsonObject(config) ? config : {};
  if (atom.mapType === 'atomic' || (Object.keys(liveMembers).length === 0 && Object.keys(configMembers).length === 0)) return whole;
  return mergeMaps(liveMembers, configMembers, atom);
}

function mergeMaps(live: JsonObject, config: JsonObject, schema: StructMerge | MapMerge): JsonObject | undefined {
  const out: JsonObject = {};
  let isEmpty = true;
  const put = (name: string, liveMember: Json | undefined, configMember: Json | undefined): void => {
    if (liveMember === undefined && configMember === undefined) return;
    const merged = mergeTyped(liveMember, configMember, memberSchema(schema, name));
    if (merged === undefined) return;
    setMember(out, name, merged);
    isEmpty = false;
  };
  for (const name of Object.keys(live)) put(name, live[name], Object.hasOwn(config, name) ? config[name] : undefined);
  for (const name of Object.keys(config)) if (!Object.hasOwn(live, name)) put(name, undefined, config[name]);
  return isEmpty ? undefined : out;
}

/** Items in order and by path element; null for duplicate items. */
interface IndexedItems {
  readonly elements: PathElement[];
  readonly items: Json[];
  readonly byElement: Map<PathElement, Json>;
}

function indexItems(list: ListMerge, items: readonly Json[]): IndexedItems {
  const index: IndexedItems = { elements: [], items: [], byElement: new Map() };
  const elements = pathElementsOf(list, items);
  for (const [i, item] of items.entries()) {
    const element = elements[i];
    if (element === undefined) continue;
    index.elements.push(element);
    index.items.push(item);
    index.byElement.set(element, index.byElement.has(element) ? null : item);
  }
  return index;
}

function mergeLists(liveItems: readonly Json[], configItems: readonly Json[], list: ListMerge): Json[] | undefined {
  const live = indexItems(list, liveItems);
  const config = indexItems(list, configItems);
  const schema = list.items();
  const out: Json[] = [];
  const merged = new Set<PathElement>();
  const shared = config.elements.filter((element) => live.byElement.has(element));
  let next = 0;
  const push = (left: Json | undefined, right: Json | undefined): void => {
    const item = mergeTyped(left, right, schema);
    if (item !== undefined) out.push(item);
  };
  const pushConfigItem = (element: PathElement): void => {
    merged.add(element);
    push(live.byElement.get(element), config.byElement.get(element));
  };

  let l = 0;
  let c = 0;
  for (;;) {
    const ours = live.elements[l];
    const theirs = config.elements[c];
    if (ours === undefined && theirs === undefined) break;
    if (ours !== undefined && theirs !== undefined) {
      if (ours === theirs) {
        pushConfigItem(ours);
        l++;
        c++;
        next++;
        continue;
      }
      // in both lists, but another shared item comes first in the config
      if (config.byElement.has(ours) && next < shared.length && shared[next] !== ours) {
        l++;
        continue;
      }
    }
    if (ours !== undefined) {
      if (!config.byElement.has(ours)) {
        push(live.items[l], undefined);
        l++;
        continue;
      }
      if (merged.has(ours)) l++;
    }
    if (theirs !== undefined) {
      pushConfigItem(theirs);
      c++;
      if (shared[next] === theirs) next++;
    }
  }
  return out.length > 0 ? out : undefined;
}
