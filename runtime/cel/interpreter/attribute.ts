import { isError, noSuchOverload } from '../values/value.ts';
import type { Interpretable } from './execution-frame.ts';
import { evalPath, evalPresence } from './path.ts';
import { evalQualifier, type Qualifier } from './qualifier.ts';

/**
 * A value with qualifiers that select a part. A conditional attribute passes its qualifiers on to both branches, whose
 * roots then cost nothing. (cel-go interpreter/attributes.go)
 */
export type Attribute =
  | {
      readonly kind: 'absolute';
      readonly root: Interpretable;
      /** Properties that are selected one after the other. */
      readonly names: readonly string[];
    }
  | {
      readonly kind: 'conditional';
      readonly condition: Interpretable;
      readonly truthy: Attribute;
      readonly falsy: Attribute;
    };

type Absolute = Extract<Attribute, { kind: 'absolute' }>;

export const absolute = (root: Interpretable): Absolute => ({ kind: 'absolute', root, names: [] });

export function addQualifier(attribute: Attribute, qualifier: Qualifier): Attribute {
  const { constant, optional } = qualifier;
  if (typeof constant !== 'string' || optional) {
    return mapAttribute(attribute, (of) => absolute(evalQualifier(evalAttribute(of), qualifier)));
  }
  return mapAttribute(attribute, ({ root, names }) => ({ kind: 'absolute', root, names: [...names, constant] }));
}

/** Returns the value of `has(attribute.name)`. */
export const presence = (attribute: Attribute, name: string): Attribute =>
  mapAttribute(attribute, ({ root, names }) => absolute(evalPresence(root, [...names, name])));

function mapAttribute(attribute: Attribute, change: (attribute: Absolute) => Attribute): Attribute {
  if (attribute.kind === 'absolute') return change(attribute);
  return { ...attribute, truthy: mapAttribute(attribute.truthy, change), falsy: mapAttribute(attribute.falsy, change) };
}

/** @param rootCost the cost of reading the root, unless there is a condition. Default: 0. */
export function evalAttribute(attribute: Attribute, rootCost = 0): Interpretable {
  if (attribute.kind === 'absolute') return evalPath(attribute.root, attribute.names, rootCost);
  const { condition } = attribute;
  const truthy = evalAttribute(attribute.truthy);
  const falsy = evalAttribute(attribute.falsy);
  return (frame) => {
    const chosen = condition(frame);
    if (chosen === true) return truthy(frame);
    if (chosen === false) return falsy(frame);
    return isError(chosen) ? chosen : noSuchOverload;
  };
}
