import type * as flowcontrol from '../../../generated/v1.35/flowcontrol.apiserver.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateConditions } from './flow-schema.ts';

type PriorityLevelConfiguration = Unvalidated<flowcontrol.PriorityLevelConfiguration>;
type Queuing = Unvalidated<flowcontrol.QueuingConfiguration>;
type Limited = Unvalidated<flowcontrol.LimitedPriorityLevelConfiguration>;

/** An annotation of v1beta3, forbidden at other versions. (PriorityLevelPreserveZeroConcurrencySharesKey) */
const preservesZeroShares = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

/** (pkg/apis/flowcontrol/validation) */
export function validatePriorityLevelConfiguration(level: PriorityLevelConfiguration, field: Field): void {
  const { type = '', limited, exempt } = level.spec ?? {};
  const annotations = level.metadata?.annotations ?? {};
  if (Object.hasOwn(annotations, preservesZeroShares)) {
    field.child('metadata', 'annotations').forbidden(`annotation '${preservesZeroShares}' is forbidden`);
  }
  const at = field.child('spec');
  if ((level.metadata?.name === 'exempt') !== (type === 'Exempt')) {
    at.child('type').invalid(type, "must be 'Exempt' if and only if `name` is 'exempt'");
  }
  if (type === 'Exempt') {
    if (limited) at.child('limited').forbidden('must be nil if the type is not Limited');
    if (exempt) validateExempt(exempt, at.child('exempt'));
  } else if (type === 'Limited') {
    if (exempt) at.child('exempt').forbidden('must be nil if the type is Limited');
    if (!limited) at.child('limited').required('must not be empty when type is Limited');
    else validateLimited(limited, at.child('limited'));
  } else at.child('type').notSupported(type, ['Exempt', 'Limited']);
  validateConditions(level, field);
}

function validateExempt(exempt: Unvalidated<flowcontrol.ExemptPriorityLevelConfiguration>, field: Field): void {
  validateNominalConcurrencyShares(exempt.nominalConcurrencyShares ?? 0, field);
  validateLendablePercent(exempt.lendablePercent ?? 0, field);
}

function validateLimited(limited: Limited, field: Field): void {
  validateNominalConcurrencyShares(limited.nominalConcurrencyShares ?? 0, field);
  validateLimitResponse(limited.limitResponse ?? {}, field.child('limitResponse'));
  validateLendablePercent(limited.lendablePercent ?? 0, field);
  const { borrowingLimitPercent } = limited;
  if (borrowingLimitPercent !== undefined && borrowingLimitPercent < 0) {
    const detail = 'if specified, must be a non-negative integer';
    field.child('borrowingLimitPercent').invalid(borrowingLimitPercent, detail);
  }
}

function validateNominalConcurrencyShares(shares: number, field: Field): void {
  if (shares < 0) {
    field.child('nominalConcurrencyShares').invalid(shares, 'must be a non-negative integer');
  }
}

function validateLendablePercent(percent: number, field: Field): void {
  if (percent < 0 || percent > 100) {
    field.child('lendablePercent').invalid(percent, 'must be between 0 and 100, inclusive');
  }
}

function validateLimitResponse({ type = '', queuing }: Unvalidated<flowcontrol.LimitResponse>, field: Field): void {
  const at = field.child('queuing');
  if (type === 'Reject') {
    if (queuing) at.forbidden('must be nil if limited.limitResponse.type is not Limited');
  } else if (type === 'Queue') {
    if (!queuing) at.required('must not be empty if limited.limitResponse.type is Limited');
    else validateQueuingConfiguration(queuing, at);
  } else field.child('type').notSupported(type, ['Queue', 'Reject']);
}

const maxQueues = 10_000_000;

function validateQueuingConfiguration({ queues = 0, handSize = 0, queueLengthLimit = 0 }: Queuing, field: Field): void {
  if (queueLengthLimit <= 0) field.child('queueLengthLimit').invalid(queueLengthLimit, 'must be positive');
  if (queues <= 0) field.child('queues').invalid(queues, 'must be positive');
  else if (queues > maxQueues) {
    field.child('queues').invalid(queues, `must not be greater than ${maxQueues}`);
  }
  if (handSize <= 0) field.child('handSize').invalid(handSize, 'must be positive');
  else if (handSize > queues) {
    field.child('handSize').invalid(handSize, `should not be greater than queues (${queues})`);
  }
}

const queuing = ({ spec }: PriorityLevelConfiguration): Queuing | undefined => spec?.limited?.limitResponse?.queuing;

export const priorityLevelShares = ({ spec }: PriorityLevelConfiguration): number | string =>
  spec?.limited ? (spec.limited.nominalConcurrencyShares ?? 0) : '<none>';
export const priorityLevelQueues = (level: PriorityLevelConfiguration): number | string => queuing(level)?.queues ?? '<none>';
export const priorityLevelHandSize = (level: PriorityLevelConfiguration): number | string => queuing(level)?.handSize ?? '<none>';
export const priorityLevelQueueLength = (level: PriorityLevelConfiguration): number | string =>
  queuing(level)?.queueLengthLimit ?? '<none>';
