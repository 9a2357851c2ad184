import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { type FieldError, invalid } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { mandatoryFlowSchemas } from '../bootstrap/flow-schemas.ts';
import { mandatoryPriorityLevels } from '../bootstrap/priority-levels.ts';
import { maxHashBits, requiredEntropyBits } from '../fair-queuing/shuffle-sharding.ts';
import { exemptName, type FlowSchema, type PriorityLevelConfiguration } from '../objects.ts';
import { specsEqual } from './ensure-bootstrap.ts';
import { internalFlowSchemaSpec, internalPriorityLevelSpec } from './internal-specs.ts';

// the rules of kubernetes pkg/apis/flowcontrol/validation that depend on the bootstrap configuration

const spec = FieldPath.root.child('spec');

/** The specs of mandatory FlowSchemas are fixed. */
export function validateFlowSchema(flowSchema: Unvalidated<FlowSchema>, errors: FieldError[]): void {
  const mandatory = mandatoryFlowSchemas.find(({ metadata }) => metadata.name === flowSchema.metadata?.name);
  if (mandatory === undefined || specsEqual(flowSchema.spec, mandatory.spec)) return;
  const detail = `spec of '${mandatory.metadata.name}' must equal the fixed value`;
  errors.push(invalid(spec, internalFlowSchemaSpec(flowSchema.spec), detail));
}

/** The specs of mandatory priority levels are fixed, except for `exempt`; hands must not take too many bits of a hash. */
export function validatePriorityLevelConfiguration(level: Unvalidated<PriorityLevelConfiguration>, errors: FieldError[]): void {
  const { type, limited } = level.spec ?? {};
  const { limitResponse } = limited ?? {};
  const isQueuing = type === 'Limited' && limitResponse?.type === 'Queue';
  const { queues = 0, handSize = 0 } = (isQueuing ? limitResponse.queuing : undefined) ?? {};
  if (queues > 0 && handSize > 0 && handSize <= queues && requiredEntropyBits(queues, handSize) > maxHashBits) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxHashBits}`;
    errors.push(invalid(spec.child('limited', 'limitResponse', 'queuing', 'handSize'), handSize, detail));
  }
  const mandatory = mandatoryPriorityLevels.find(({ metadata }) => metadata.name === level.metadata?.name);
  if (mandatory === undefined) return;
  const { name } = mandatory.metadata;
  const except = name === exemptName ? " except the 'spec.exempt' field" : '';
  const fixedPart = name === exemptName ? { ...level.spec, exempt: mandatory.spec?.exempt } : level.spec;
  if (specsEqual(fixedPart, mandatory.spec)) return;
  const detail = `spec of '${name}'${except} must equal the fixed value`;
  errors.push(invalid(spec, internalPriorityLevelSpec(level.spec), detail));
}
