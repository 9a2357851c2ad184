import { type FieldError, invalid } from '../../machinery/field-error.ts';
import { FieldPath } from '../../machinery/field-path.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { mandatoryFlowSchemas } from '../bootstrap/flow-schemas.ts';
import { mandatoryPriorityLevels } from '../bootstrap/priority-levels.ts';
import { maxHashBits, requiredEntropyBits } from '../fair-queuing/shuffle-sharding.ts';
import { exemptName } from '../objects.ts';
import { sameSpec } from './ensure-bootstrap.ts';
import { internalFlowSchemaSpec, internalPriorityLevelSpec } from './internal-specs.ts';

/** What must hold of the objects beyond what their schemas say. (kubernetes pkg/apis/flowcontrol/validation) */

const spec = FieldPath.root.child('spec');

/** The specs of the mandatory schemas are fixed. */
export function checkFlowSchema(schema: KubeObject, errors: FieldError[]): void {
  const fixed = mandatoryFlowSchemas.find(({ metadata }) => metadata.name === schema.metadata.name);
  if (fixed !== undefined && !sameSpec(schema.spec, fixed.spec)) {
    errors.push(
      invalid(spec, internalFlowSchemaSpec(schema.spec), `spec of '${fixed.metadata.name}' must equal the fixed value`),
    );
  }
}

/** So are those of the mandatory levels, but for what the exempt one has to lend; and hands must fit the hash. */
export function checkPriorityLevel(level: KubeObject, errors: FieldError[]): void {
  const { queues = 0, handSize = 0 } = level.spec?.limited?.limitResponse?.queuing ?? {};
  if (queues > 0 && handSize > 0 && handSize <= queues && requiredEntropyBits(queues, handSize) > maxHashBits) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxHashBits}`;
    errors.push(invalid(spec.child('limited', 'limitResponse', 'queuing', 'handSize'), handSize, detail));
  }
  const fixed = mandatoryPriorityLevels.find(({ metadata }) => metadata.name === level.metadata.name);
  if (fixed === undefined) return;
  const { name } = fixed.metadata;
  const except = name === exemptName ? " except the 'spec.exempt' field" : '';
  const own = name === exemptName ? { ...level.spec, exempt: fixed.spec.exempt } : level.spec;
  if (!sameSpec(own, fixed.spec)) {
    errors.push(
      invalid(spec, internalPriorityLevelSpec(level.spec), `spec of '${name}'${except} must equal the fixed value`),
    );
  }
}
