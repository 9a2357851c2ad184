import type { KubeObject, Part } from '../../machinery/object.ts';
import { forbidden, invalid, notSupported, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import type { Errors } from '../validation/fields.ts';
import { validateConditions } from './flow-schema.ts';

const mostQueues = 10_000_000;

export function validatePriorityLevelConfiguration(level: Part, path: FieldPath, errors: Errors): void {
  const { type = '', limited, exempt } = level.spec ?? {};
  const at = path.child('spec');
  if ((level.metadata?.name === 'exempt') !== (type === 'Exempt')) {
    errors.push(invalid(at.child('type'), type, "type must be 'Exempt' if and only if name is 'exempt'"));
  }
  if (type === 'Exempt') {
    if (limited) errors.push(forbidden(at.child('limited'), 'must be nil if the type is not Limited'));
    if (exempt) validateExempt(exempt, at.child('exempt'), errors);
  } else if (type === 'Limited') {
    if (exempt) errors.push(forbidden(at.child('exempt'), 'must be nil if the type is Limited'));
    if (!limited) errors.push(required(at.child('limited'), 'must not be empty when type is Limited'));
    else validateLimited(limited, at.child('limited'), errors);
  } else errors.push(notSupported(at.child('type'), type, ['Exempt', 'Limited']));
  validateConditions(level, path, errors);
}

function validateExempt(exempt: Part, path: FieldPath, errors: Errors): void {
  validateNominalConcurrencyShares(exempt.nominalConcurrencyShares ?? 0, path, errors);
  validateLendablePercent(exempt.lendablePercent ?? 0, path, errors);
}

function validateLimited(limited: Part, path: FieldPath, errors: Errors): void {
  validateNominalConcurrencyShares(limited.nominalConcurrencyShares ?? 0, path, errors);
  validateLimitResponse(limited.limitResponse ?? {}, path.child('limitResponse'), errors);
  validateLendablePercent(limited.lendablePercent ?? 0, path, errors);
  const { borrowingLimitPercent } = limited;
  if (borrowingLimitPercent !== undefined && borrowingLimitPercent < 0) {
    const detail = 'if specified, must be a non-negative integer';
    errors.push(invalid(path.child('borrowingLimitPercent'), borrowingLimitPercent, detail));
  }
}

function validateNominalConcurrencyShares(shares: number, path: FieldPath, errors: Errors): void {
  if (shares < 0) {
    errors.push(invalid(path.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer'));
  }
}

function validateLendablePercent(percent: number, path: FieldPath, errors: Errors): void {
  if (percent < 0 || percent > 100) {
    errors.push(invalid(path.child('lendablePercent'), percent, 'must be between 0 and 100, inclusive'));
  }
}

function validateLimitResponse({ type = '', queuing }: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('queuing');
  if (type === 'Reject') {
    if (queuing) errors.push(forbidden(at, 'must be nil if limited.limitResponse.type is not Limited'));
  } else if (type === 'Queue') {
    if (!queuing) errors.push(required(at, 'must not be empty if limited.limitResponse.type is Limited'));
    else validateQueuingConfiguration(queuing, at, errors);
  } else errors.push(notSupported(path.child('type'), type, ['Queue', 'Reject']));
}

function validateQueuingConfiguration(
  { queues = 0, handSize = 0, queueLengthLimit = 0 }: Part,
  path: FieldPath,
  errors: Errors,
): void {
  if (queueLengthLimit <= 0) errors.push(invalid(path.child('queueLengthLimit'), queueLengthLimit, 'must be positive'));
  if (queues <= 0) errors.push(invalid(path.child('queues'), queues, 'must be positive'));
  else if (queues > mostQueues) {
    errors.push(invalid(path.child('queues'), queues, `must not be greater than ${mostQueues}`));
  }
  if (handSize <= 0) errors.push(invalid(path.child('handSize'), handSize, 'must be positive'));
  else if (handSize > queues) {
    errors.push(invalid(path.child('handSize'), handSize, `should not be greater than queues (${queues})`));
  }
}

const queuing = ({ spec }: KubeObject): Part => spec?.limited?.limitResponse?.queuing;

export const priorityLevelShares = ({ spec }: KubeObject): number | string =>
  spec?.limited ? (spec.limited.nominalConcurrencyShares ?? 0) : '<none>';
export const priorityLevelQueues = (level: KubeObject): number | string => queuing(level)?.queues ?? '<none>';
export const priorityLevelHandSize = (level: KubeObject): number | string => queuing(level)?.handSize ?? '<none>';
export const priorityLevelQueueLength = (level: KubeObject): number | string =>
  queuing(level)?.queueLengthLimit ?? '<none>';
