import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { validateFormat } from '../validation/fields.ts';
import { internalStruct, type Shape } from '../validation/internal-value.ts';
import { validateTaintEffect } from './node-selector.ts';

const taintShape: Shape = { key: '', value: '', effect: '', timeAdded: null };

/** (validateNodeTaints) */
export function validateNodeTaints(taints: readonly Unvalidated<core.Taint>[] | undefined, field: Field): void {
  const seen = new Set<string>();
  for (const [index, taint] of (taints ?? []).entries()) {
    const at = field.index(index);
    const { key = '', value = '', effect = '' } = taint;
    validateFormat(key, qualifiedName, at.child('key'));
    const messages = labelValue(value);
    if (messages.length > 0) at.child('value').invalid(value, messages.join(';'));
    if (effect === '') at.child('effect').required();
    else validateTaintEffect(effect, at.child('effect'));
    if (seen.has(`${effect} ${key}`)) {
      at.duplicate(internalStruct(taint, taintShape), 'taints must be unique by key and effect pair');
    }
    seen.add(`${effect} ${key}`);
  }
}
