import type { Part } from '../../machinery/object.ts';
import { quote } from '../../machinery/quote.ts';
import { canonicalQuantity, parseQuantity, scaledQuantityValue } from '../../machinery/scalars/quantity.ts';

/** Numbers of bytes that are none, as `100m` for what was meant to be 100M. `path` names the list. */
export function warnOfFractions(list: Part, names: readonly string[], path: string, warnings: string[]): void {
  if (list === undefined || list === null) return;
  for (const name of names) {
    if (list[name] === undefined || list[name] === null) continue;
    const text = String(list[name]);
    const { scale, unscaled } = parseQuantity(text);
    if (scale >= 0 || scaledQuantityValue({ scale, unscaled, format: 'DecimalSI' }, -3) % 1000n === 0n) continue;
    const amount = quote(canonicalQuantity(text));
    warnings.push(`${path}[${name}]: fractional byte value ${amount} is invalid, must be an integer`);
  }
}

const storage = ['storage'];

/** Of the spec of a PersistentVolumeClaim. (pkg/api/persistentvolumeclaim/util.go) */
export function warnOfClaimSpec(spec: Part, path: string, warnings: string[]): void {
  warnOfFractions(spec?.resources?.requests, storage, `${path}.resources.requests`, warnings);
  warnOfFractions(spec?.resources?.limits, storage, `${path}.resources.limits`, warnings);
}
