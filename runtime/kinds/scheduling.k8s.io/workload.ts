import type * as scheduling from '../../../generated/v1.35/scheduling.k8s.io/v1alpha1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsLabel, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { pathSegment } from '../../structural/formats.ts';
import { immutableText, validateFormat, validateRequiredFormat } from '../validation/fields.ts';
import { internal, internalStruct, type Shape } from '../validation/internal-value.ts';

/** (pkg/apis/scheduling/validation/validation.go, pkg/registry/scheduling/workload/strategy.go) */

type Workload = Unvalidated<scheduling.Workload>;
type WorkloadSpec = Unvalidated<scheduling.WorkloadSpec>;

const workloadMaxPodGroups = 8;

export const workloadStrategy: RESTStrategy = {
  validateCreate: ({ spec }: Workload, errors) => validateWorkloadSpec(spec ?? {}, Field.at(FieldPath.of('spec'), errors)),
  validateUpdate({ spec = {} }: Workload, old: Workload, errors) {
    validateWorkloadSpec(spec, Field.at(FieldPath.of('spec'), errors));
    validateWorkloadSpecUpdate(spec, old.spec ?? {}, Field.at(FieldPath.root, errors));
  },
};

function validateWorkloadSpec({ controllerRef, podGroups: groups }: WorkloadSpec, field: Field): void {
  const podGroups = groups ?? []; // may be null
  if (controllerRef) validateControllerRef(controllerRef, field.child('controllerRef'));
  const at = field.child('podGroups');
  if (podGroups.length === 0) at.required('must have at least one item');
  else if (podGroups.length > workloadMaxPodGroups) at.tooMany(podGroups.length, workloadMaxPodGroups);
  else {
    const names = new Set<string>();
    for (const [index, group] of podGroups.entries()) {
      const { name = '' } = group;
      validateFormat(name, dnsLabel, at.index(index).child('name'));
      if (names.has(name)) at.index(index).child('name').duplicate(name);
      names.add(name);
      validatePodGroupPolicy(group.policy ?? {}, at.index(index).child('policy'));
    }
  }
}

function validateControllerRef({ apiGroup, kind, name }: Unvalidated<scheduling.TypedLocalObjectReference>, field: Field): void {
  if (apiGroup) validateFormat(apiGroup, dnsSubdomain, field.child('apiGroup'));
  validateRequiredFormat(kind, pathSegment, field.child('kind'));
  validateRequiredFormat(name, pathSegment, field.child('name'));
}

function validatePodGroupPolicy({ basic, gang }: Unvalidated<scheduling.PodGroupPolicy>, field: Field): void {
  const oneOf = 'exactly one of `basic`, `gang` is required';
  if (!basic && !gang) field.required(oneOf);
  else if (basic && gang) field.invalid('{`basic`, `gang`}', `${oneOf}, but multiple fields are set`);
  else if (gang) {
    const { minCount = 0 } = gang;
    if (minCount <= 0) field.child('gang', 'minCount').invalid(minCount, 'must be greater than zero');
  }
}

const controllerRefShape: Shape = { apiGroup: '', kind: '', name: '' };
const podGroupShape: Shape = { name: '', policy: [{ basic: {}, gang: { minCount: 0 } }] };

/** Upstream's errors do not name the spec. */
function validateWorkloadSpecUpdate(spec: WorkloadSpec, old: WorkloadSpec, field: Field): void {
  if (old.controllerRef && !equalPruned(spec.controllerRef, old.controllerRef)) {
    const value = spec.controllerRef && internalStruct(spec.controllerRef, controllerRefShape);
    field.child('controllerRef').invalid(value, immutableText);
  }
  if (!equalPruned(spec.podGroups, old.podGroups)) {
    field.child('podGroups').invalid(internal(spec.podGroups, podGroupShape), immutableText);
  }
}
