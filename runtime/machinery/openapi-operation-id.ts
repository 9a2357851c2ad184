interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/**
 * Returns an operationId, as `listExampleComV1NamespacedFox`.
 *
 * @param name the rest of the id after the verb and the group-version, as `NamespacedFox`
 */
export function operationId(verb: string, { group, version }: GroupVersion, name: string): string {
  return [verb, ...[withoutSuffix(group), version, name].map((text) => toValidOperationID(text, true))].join('');
}

/** The tag of all operations of a group-version, as `exampleCom_v1`. */
export function operationTag({ group, version }: GroupVersion): string {
  return `${toValidOperationID(withoutSuffix(group), false)}_${toValidOperationID(version, false)}`;
}

/** The operationId of the operation that reads a group, and its tag. */
export function groupOperation(group: string): { readonly operationId: string; readonly tag: string } {
  const name = withoutSuffix(group);
  return { operationId: `get${toValidOperationID(name, true)}APIGroup`, tag: toValidOperationID(name, false) };
}

const withoutSuffix = (group: string): string => (group.endsWith('.k8s.io') ? group.slice(0, -'.k8s.io'.length) : group);

/**
 * Keeps letters, digits and `_`. A letter after a dropped character becomes a capital. (apiserver
 * pkg/endpoints/openapi)
 */
function toValidOperationID(text: string, capitalizeFirst: boolean): string {
  let id = '';
  let capitalize = capitalizeFirst;
  for (const [index, char] of [...text].entries()) {
    const isValid = /[\p{L}_]/u.test(char) || (index > 0 && /\p{Nd}/u.test(char));
    if (isValid) id += capitalize ? char.toUpperCase() : char;
    capitalize = !isValid;
  }
  return id;
}
