import { decodeConfiguration, listOf, type Reader, struct, type TypeMeta } from '../../../codec/configuration.ts';
import { decodeJson } from '../../../codec/json.ts';
import { validateTolerations } from '../../../kinds/core/pod/scheduling.ts';
import type { Toleration } from '../../../kinds/core/pod/tolerations.ts';
import { isDecodeError } from '../../../machinery/errors/decode-error.ts';
import { plainError } from '../../../machinery/errors/status.ts';
import { PruneContext } from '../../../machinery/prune/context.ts';
import { int64, string } from '../../../machinery/prune/values.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';

interface Configuration extends TypeMeta {
  /** The tolerations of pods in namespaces without their own list. */
  readonly default?: readonly Toleration[];
  /** The allowed tolerations of such pods; empty allows any. */
  readonly whitelist?: readonly Toleration[];
}

const tolerations: Reader<readonly Toleration[]> = listOf(
  'v1.Toleration',
  struct<Toleration>('v1.Toleration', {
    key: string,
    operator: string,
    value: string,
    effect: string,
    tolerationSeconds: int64 as Reader<number>,
  }),
);

const reader = struct<Configuration>('v1alpha1.Configuration', {
  apiVersion: string,
  kind: string,
  default: tolerations,
  whitelist: tolerations,
});

/** @throws Error for an invalid configuration (loadConfiguration, ValidateConfiguration) */
export function loadConfiguration(bytes: Uint8Array | undefined): Configuration {
  if (bytes === undefined) return {};
  const versions = { 'podtolerationrestriction.admission.k8s.io/v1alpha1': reader };
  const configuration = decodeConfiguration(bytes, { kind: 'Configuration', versions });
  const errors: FieldError[] = [];
  const field = Field.at(FieldPath.of('podtolerationrestriction'), errors);
  for (const list of ['default', 'whitelist'] as const) {
    validateTolerations(configuration[list] ?? [], field.child(list));
  }
  if (errors.length > 0) throw new Error(`invalid config: [${errors.map(fieldErrorMessage).join(', ')}]`);
  return configuration;
}

/** Reads the tolerations in an annotation. @throws StatusError 500, as upstream (extractNSTolerations) */
export function parseTolerations(text: string): readonly Toleration[] {
  if (text === '') return [];
  try {
    return tolerations(decodeJson(Buffer.from(text)), new PruneContext({ collectUnknown: false }), '');
  } catch (error) {
    throw isDecodeError(error) ? plainError(error.message) : error;
  }
}
