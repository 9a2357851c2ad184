import { decodeConfiguration, listOf, struct, type TypeMeta } from '../../../codec/configuration.ts';
import { aggregate } from '../../../machinery/errors/aggregate.ts';
import { int32, string } from '../../../machinery/prune/values.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';

export interface Limit {
  readonly type?: string;
  readonly qps?: number;
  readonly burst?: number;
  readonly cacheSize?: number;
}

interface Configuration extends TypeMeta {
  readonly limits?: readonly Limit[];
}

export const limitTypes = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;

const reader = struct<Configuration>('v1alpha1.Configuration', {
  apiVersion: string,
  kind: string,
  limits: listOf('v1alpha1.Limit', struct<Limit>('v1alpha1.Limit', { type: string, qps: int32, burst: int32, cacheSize: int32 })),
});

/** @throws Error for a missing or an invalid configuration (LoadConfiguration, ValidateConfiguration) */
export function loadConfiguration(bytes: Uint8Array | undefined): readonly Limit[] {
  const versions = { 'eventratelimit.admission.k8s.io/v1alpha1': reader };
  const { limits = [] } = bytes === undefined ? {} : decodeConfiguration(bytes, { kind: 'Configuration', versions });
  const errors: FieldError[] = [];
  const field = Field.at(FieldPath.of('limits'), errors);
  if (limits.length === 0) field.invalid([], 'must not be empty');
  for (const [index, { type = '', burst = 0, qps = 0, cacheSize = 0 }] of limits.entries()) {
    const at = field.index(index);
    if (!limitTypes.some((known) => known === type)) at.child('type').notSupported(type, limitTypes);
    if (burst <= 0) at.child('burst').invalid(burst, 'must be positive');
    if (qps <= 0) at.child('qps').invalid(qps, 'must be positive');
    if (type !== 'Server' && cacheSize < 0) at.child('cacheSize').invalid(cacheSize, 'must not be negative');
  }
  if (errors.length > 0) throw new Error(aggregate(errors.map(fieldErrorMessage)));
  return limits;
}
