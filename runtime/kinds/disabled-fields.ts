import { memberOf } from '../machinery/json/values.ts';
import type { KubeObject } from '../machinery/object.ts';
import { droppedMember, rememberDisabled } from '../machinery/prune/dropped-values.ts';
import type { RESTStrategy } from '../resources/rest.ts';
import { changesGeneration } from '../resources/write-rules.ts';

/** The paths of fields that belong together: `spec.volumes[].image`; `[]` stands for the items of a list or map. */
export type FieldPaths = readonly string[];

/** The objects that have the last field of a path, and the field's name. */
interface Place {
  readonly parents: readonly object[];
  readonly field: string;
}

/**
 * Returns the strategy of a kind whose fields include some of disabled gates. A write drops these fields, unless the
 * stored object has a field of the same gate, from a server with the gate. (dropDisabledFields of upstream's
 * strategies)
 *
 * @param gates the fields of each gate
 * @param counts whether a write that changes only such fields increases metadata.generation. Default: false
 */
export function withoutDisabledFields(strategy: RESTStrategy, gates: readonly FieldPaths[], counts = false): RESTStrategy {
  return {
    ...strategy,
    prepareForCreate(object, context) {
      dropDisabledFields(gates, object, undefined);
      return strategy.prepareForCreate?.(object, context);
    },
    prepareForUpdate(object, old, context) {
      if (counts && changesGeneration(object, old, context.definition)) {
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      }
      dropDisabledFields(gates, object, old);
      return strategy.prepareForUpdate?.(object, old, context);
    },
  };
}

function dropDisabledFields(gates: readonly FieldPaths[], object: KubeObject, old: KubeObject | undefined): void {
  for (const paths of gates) {
    if (old !== undefined && paths.some((path) => isUsed(placeOf(old, path)))) continue;
    for (const path of paths) {
      const { parents, field } = placeOf(object, path);
      for (const parent of parents) {
        if (!Object.hasOwn(parent, field) && droppedMember(parent, field) === undefined) continue;
        Reflect.deleteProperty(parent, field);
        rememberDisabled(parent, field);
      }
    }
  }
}

function placeOf(object: object, path: string): Place {
  const names = path.split('.');
  const field = names.pop() ?? '';
  let parents = [object];
  for (const name of names) {
    const isList = name.endsWith('[]');
    const found = parents.map((parent) => memberOf(parent, isList ? name.slice(0, -2) : name)).filter(isObject);
    parents = isList ? found.flatMap((list) => Object.values(list).filter(isObject)) : found;
  }
  return { parents, field };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isUsed = ({ parents, field }: Place): boolean =>
  parents.some((parent) => {
    const value = memberOf(parent, field);
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
