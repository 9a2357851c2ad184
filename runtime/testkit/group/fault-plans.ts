import type { FaultPlan } from '../../../generated/testing/testing.kubeloom.dev/v1alpha1/types.ts';
import { age } from '../../machinery/age.ts';
import type { ResourceStrategy } from '../../machinery/api-group.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { TableColumn } from '../../machinery/resource.ts';
import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldErrors } from '../../machinery/validation/field-errors.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateFaultPlanSpec } from '../faults/validation.ts';
import type { RequestMatch } from '../requests/request-match.ts';
import { validateServed } from '../requests/validation.ts';
import { faultPlanSpec, faultPlanStatus } from './fault-plan-status.ts';
import { PlanInForce } from './plan-in-force.ts';
import type { CurrentControls } from './test-controls.ts';

const column = (name: string, type: 'string' | 'integer', cell: TableColumn<FaultPlan>['cell']): TableColumn<FaultPlan> => ({
  name,
  type,
  format: '',
  description: '',
  priority: 0,
  cell,
});

/** The behavior of FaultPlans beyond their schema. */
export const faultPlanHooks: ResourceStrategy<FaultPlan> = {
  validate({ spec }) {
    const errors = new FieldErrors();
    validateFaultPlanSpec(faultPlanSpec(spec), Field.at(FieldPath.of('spec'), errors));
    return errors;
  },
  table: [
    { ...column('Name', 'string', ({ metadata }) => metadata.name ?? ''), format: 'name', field: 'name' },
    column('Fault', 'string', ({ spec }) => Object.keys(spec.fault).join(',')),
    column('Matches', 'integer', ({ status }) => status?.matches ?? 0),
    column('Hits', 'integer', ({ status }) => status?.hits ?? 0),
    { ...column('Age', 'string', age), field: 'creationTimestamp' },
  ],
};

/** A FaultPlan is in force at the end of the request that writes it. A new spec resets its counts. */
export function faultPlanStrategy(controls: CurrentControls): RESTStrategy {
  const inForce = new Map<string | undefined, PlanInForce>();
  const validateNames = ({ spec }: FaultPlan, errors: FieldError[]): void => {
    // a field that the schema refuses may have any form
    if (errors.length > 0) return;
    const field = Field.at(FieldPath.of('spec', 'match'), errors);
    validateServed((spec.match ?? {}) as RequestMatch, field, controls().served);
  };
  return {
    validateCreate: validateNames,
    validateUpdate(plan: FaultPlan, old: FaultPlan, errors) {
      // an unchanged plan may name resources that are no longer served
      if (!hasSameSpec(plan, old)) validateNames(plan, errors);
    },
    beginCreate(plan: FaultPlan, { dryRun, stores, now }) {
      if (dryRun) return undefined;
      plan.status = faultPlanStatus(plan, { matches: 0, hits: 0 }, now);
      return async (outcome) => {
        if (outcome !== 'written') return;
        inForce.set(plan.metadata.uid, await PlanInForce.begin(plan, controls(), stores));
      };
    },
    beginUpdate(plan: FaultPlan, old: FaultPlan, { dryRun, part, stores }) {
      if (dryRun || part === 'status' || hasSameSpec(plan, old)) return undefined;
      return async (outcome) => {
        if (outcome !== 'written') return;
        const { uid } = plan.metadata;
        inForce.get(uid)?.end();
        inForce.set(uid, await PlanInForce.begin(plan, controls(), stores));
        inForce.get(uid)?.publish();
      };
    },
    afterDelete({ metadata: { uid } }) {
      inForce.get(uid)?.end();
      inForce.delete(uid);
    },
  };
}

const hasSameSpec = (plan: FaultPlan, old: FaultPlan): boolean => equalJson(plan.spec, old.spec);
