import { parseExactJson } from '../../codec/json/exact.ts';
import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { isJsonObject, jsonTypeOf } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import type { Labels } from '../validation/labels.ts';
import { validateNodeTaints } from './node-taints.ts';

/** JSON annotations from the time before taints had a field. (pkg/apis/core/validation/validation.go) */

const taintsKey = 'scheduler.alpha.kubernetes.io/taints';
const avoidPodsKey = 'scheduler.alpha.kubernetes.io/preferAvoidPods';

/** (ValidateNodeSpecificAnnotations) */
export function validateNodeSpecificAnnotations(annotations: Labels | undefined, field: Field): void {
  if (annotations === undefined) return;
  const { [taintsKey]: taints, [avoidPodsKey]: avoidPods } = annotations;
  if (taints) {
    decoding(field, taintsKey, () => validateNodeTaints(decodeTaints(taints), field.child(taintsKey)));
  }
  if (avoidPods) decoding(field.child('AvoidPods'), avoidPodsKey, () => validateAvoidPods(avoidPods, field.child(avoidPodsKey)));
}

function decoding(field: Field, key: string, validate: () => void): void {
  try {
    validate();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    field.invalid(key, error.message);
  }
}

const parse = (text: string): Json => parseExactJson(Buffer.from(text));

const mismatch = (value: Json, what: string): DecodeError => new DecodeError(`json: cannot unmarshal ${jsonTypeOf(value)} into Go ${what}`);

function list(value: Json | undefined, what: string): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw mismatch(value, what);
  return value;
}

function struct(value: Json | undefined, what: string): JsonObject {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) throw mismatch(value, what);
  return value;
}

interface Taint {
  key: string;
  value: string;
  effect: string;
}

/** The internal type has no JSON names, so members may have any letter case. (GetTaintsFromNodeAnnotations) */
function decodeTaints(text: string): Taint[] {
  return list(parse(text), 'value of type []core.Taint').map((item) => {
    const taint: Taint = { key: '', value: '', effect: '' };
    for (const [given, value] of Object.entries(struct(item, 'value of type core.Taint'))) {
      const name = given.toLowerCase();
      if (value === null || (name !== 'key' && name !== 'value' && name !== 'effect')) continue;
      const type = name === 'effect' ? 'core.TaintEffect' : 'string';
      const member = `Taint.${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
      if (typeof value !== 'string') throw mismatch(value, `struct field ${member} of type ${type}`);
      taint[name] = value;
    }
    return taint;
  });
}

const entries = 'struct field AvoidPods.preferAvoidPods';

/** (ValidateAvoidPodsInNodeAnnotations, validatePreferAvoidPodsEntry) */
function validateAvoidPods(text: string, field: Field): void {
  const { preferAvoidPods } = struct(parse(text), 'value of type v1.AvoidPods');
  const all = list(preferAvoidPods, `${entries} of type []v1.PreferAvoidPodsEntry`).map((item) => {
    const { podSignature } = struct(item, `${entries} of type v1.PreferAvoidPodsEntry`);
    const signature = struct(podSignature, `${entries}.podSignature of type v1.PodSignature`);
    const owner = `${entries}.podSignature.podController`;
    const { podController } = signature;
    return podController ? struct(podController, `${owner} of type v1.OwnerReference`) : undefined;
  });
  for (const [index, controller] of all.entries()) {
    const at = field.index(index).child('PodSignature');
    if (controller === undefined) at.required();
    else if (controller.controller !== true) {
      at.child('PodController', 'Controller').invalid(false, 'must point to a controller');
    }
  }
}
