import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement } from '../fieldpath/path-element.ts';
import type { InnerManager, Managed } from './manager.ts';

const metadataFields = [
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

/** Fields that no manager owns because they identify the object or are set by the server. */
const strippedFields = FieldSet.of(
  ...['apiVersion', 'kind', 'metadata'].map((name) => [fieldElement(name)]),
  ...metadataFields.map((name) => [fieldElement('metadata'), fieldElement(name)]),
);

/** Removes the fields that no manager owns. (apimachinery stripmeta.go) */
export function newStripMetaManager(inner: InnerManager): InnerManager {
  const strip = ({ fields }: Managed, manager: string): void => {
    const versioned = fields.get(manager);
    if (versioned === undefined) return;
    const set = versioned.set.difference(strippedFields);
    if (set.isEmpty) fields.delete(manager);
    else fields.set(manager, { ...versioned, set });
  };
  return {
    update(live, next, managed, manager) {
      const result = inner.update(live, next, managed, manager);
      strip(result.managed, manager);
      return result;
    },
    apply(request) {
      const result = inner.apply(request);
      strip(result.managed, request.manager);
      return result;
    },
  };
}
