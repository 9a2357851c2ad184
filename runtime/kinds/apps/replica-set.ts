import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateNonnegativeFields, validateSelectorAndTemplate } from './pod-template.ts';
import { countsOf, validateReplicaCounts } from './replica-counts.ts';

export function validateReplicaSet(replicaSet: Part, field: Field): void {
  validateReplicaCounts(replicaSet, countsOf.replicaSet, field);
  const spec = replicaSet.spec ?? {};
  const at = field.child('spec');
  validateNonnegativeFields(spec, ['replicas', 'minReadySeconds'], at);
  validateSelectorAndTemplate(spec, { selector: 'deployment', kind: 'ReplicaSet' }, at);
}
