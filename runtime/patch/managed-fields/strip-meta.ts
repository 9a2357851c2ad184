import { FieldSet } from '../field-set/field-set.ts';
import { fieldElement } from '../field-set/path-element.ts';
import type { Managed } from './manager.ts';
import type { Merging } from './structured-merge.ts';

const inMetadata = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

/** What nobody owns: the server writes it, or it names the object. */
const stripped = FieldSet.of(
  ...['apiVersion', 'kind', 'metadata'].map((name) => [fieldElement(name)]),
  ...inMetadata.map((name) => [fieldElement('metadata'), fieldElement(name)]),
);

/** Takes type and identity of the object out of what the writer owns. */
export function stripMeta(inner: Merging): Merging {
  const strip = ({ fields }: Managed, manager: string): void => {
    const versioned = fields.get(manager);
    if (versioned === undefined) return;
    const set = versioned.set.difference(stripped);
    if (set.isEmpty) fields.delete(manager);
    else fields.set(manager, { ...versioned, set });
  };
  return {
    update(live, next, managed, manager) {
      const result = inner.update(live, next, managed, manager);
      strip(result.managed, manager);
      return result;
    },
    apply(live, config, managed, manager, force) {
      const result = inner.apply(live, config, managed, manager, force);
      strip(result.managed, manager);
      return result;
    },
  };
}
