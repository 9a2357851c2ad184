import type * as coordination from '../../../generated/v1.35/coordination.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateNonnegativeField } from '../validation/fields.ts';
import { validateCoordinatedLeaseStrategy } from './coordinated-lease-strategy.ts';

type Lease = Unvalidated<coordination.Lease>;

/** (pkg/apis/coordination/validation, ValidateLeaseSpec) */
export function validateLease({ spec = {} }: Lease, field: Field): void {
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = spec;
  const at = field.child('spec');
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    at.child('leaseDurationSeconds').invalid(leaseDurationSeconds, 'must be greater than 0');
  }
  validateNonnegativeField(leaseTransitions, at.child('leaseTransitions'));
  if (strategy !== undefined) validateCoordinatedLeaseStrategy(strategy, at.child('strategy'));
  if (preferredHolder && !strategy) {
    at.child('preferredHolder').forbidden('may only be specified if `strategy` is defined');
  }
}

/**
 * The gate CoordinatedLeaderElection is off: only leases that already have its fields keep them.
 * (pkg/registry/coordination/lease)
 */
export const leaseStrategy: RESTStrategy = {
  prepareForCreate: (lease: Lease) => dropDisabledFields(lease, undefined),
  prepareForUpdate: (lease: Lease, old: Lease) => dropDisabledFields(lease, old),
};

function dropDisabledFields({ spec }: Lease, old: Lease | undefined): void {
  if (spec?.strategy !== undefined && old?.spec?.strategy === undefined) delete spec.strategy;
  if (spec?.preferredHolder !== undefined && old?.spec?.preferredHolder === undefined) delete spec.preferredHolder;
}
