import type { ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateNonnegativeFields } from '../validation/fields.ts';
import { validateReplicaSetStatus } from './status.ts';
import { validateSelectorAndTemplate } from './workloads.ts';

/** (ValidateReplicaSetSpec) Upstream's messages about the selector say "deployment". */
export function validateReplicaSet({ spec = {}, status }: Unvalidated<ReplicaSet>, field: Field): void {
  validateReplicaSetStatus(status, field.child('status'));
  const at = field.child('spec');
  validateNonnegativeFields(spec, ['replicas', 'minReadySeconds'], at);
  validateSelectorAndTemplate(spec, { selector: 'deployment', kind: 'ReplicaSet' }, at);
}
