import { isError, noSuchOverload } from '../values/value.ts';
import type { Interpretable } from './execution-frame.ts';
import { evalQualifier, type Qualifier } from './qualifier.ts';

/**
 * A value that qualifiers select parts of. A conditional attribute passes its qualifiers on to both branches, whose
 * roots then cost nothing. (cel-go interpreter/attributes.go)
 */
export type Attribute =
  | { readonly kind: 'absolute'; readonly interpretable: Interpretable }
  | {
      readonly kind: 'conditional';
      readonly condition: Interpretable;
      readonly truthy: Attribute;
      readonly falsy: Attribute;
    };

export const addQualifier = (attribute: Attribute, qualifier: Qualifier): Attribute =>
  mapAttribute(attribute, (root) => evalQualifier(root, qualifier));

export function mapAttribute(attribute: Attribute, change: (root: Interpretable) => Interpretable): Attribute {
  if (attribute.kind === 'absolute') return { kind: 'absolute', interpretable: change(attribute.interpretable) };
  return { ...attribute, truthy: mapAttribute(attribute.truthy, change), falsy: mapAttribute(attribute.falsy, change) };
}

export function evalAttribute(attribute: Attribute): Interpretable {
  if (attribute.kind === 'absolute') return attribute.interpretable;
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
