import type { Part } from '../../machinery/object.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import type { Errors } from '../validation/fields.ts';
import { validateNonnegativeFields, validateSelectorAndTemplate } from './pod-template.ts';
import { countsOf, validateReplicaCounts } from './replica-counts.ts';

export function validateReplicaSet(replicaSet: Part, path: FieldPath, errors: Errors): void {
  validateReplicaCounts(replicaSet, countsOf.replicaSet, path, errors);
  const spec = replicaSet.spec ?? {};
  const at = path.child('spec');
  validateNonnegativeFields(spec, ['replicas', 'minReadySeconds'], at, errors);
  validateSelectorAndTemplate(spec, { selector: 'deployment', kind: 'ReplicaSet' }, at, errors);
}
