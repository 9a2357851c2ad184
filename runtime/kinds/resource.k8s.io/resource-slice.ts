import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateNodeSelector } from '../core/node-selector.ts';
import { validateFormat, validateImmutableField } from '../validation/fields.ts';
import { none, type WriteWarnings, warningsOnWrite } from '../warnings.ts';
import { atStorageVersion } from './conversion.ts';
import { validateDevice } from './device.ts';
import { internalNodeSelectorTerms } from './internal-types.ts';
import { eachOfSet } from './lists.ts';
import { validateDriverName, validatePoolName } from './names.ts';

/** (pkg/registry/resource/resourceslice/strategy.go) */

type ResourceSlice = Unvalidated<resource.ResourceSlice>;
type ResourceSliceSpec = Unvalidated<resource.ResourceSliceSpec>;

export const resourceSliceStrategy: RESTStrategy = {
  returnDeletedObject: true,
  validateCreate(slice: KubeObject, errors, context) {
    const { spec = {} }: ResourceSlice = atStorageVersion(slice, context);
    validateResourceSliceSpec(spec, undefined, Field.at(FieldPath.of('spec'), errors));
  },
  validateUpdate(slice: KubeObject, old: KubeObject, errors, context) {
    const { spec = {} }: ResourceSlice = atStorageVersion(slice, context);
    const { spec: before = {} }: ResourceSlice = atStorageVersion(old, context);
    validateResourceSliceSpec(spec, before, Field.at(FieldPath.of('spec'), errors));
  },
};

const maxDevices = 128;

/** (pkg/apis/resource/validation/validation.go) */
function validateResourceSliceSpec(spec: ResourceSliceSpec, old: ResourceSliceSpec | undefined, field: Field): void {
  validateDriverName(spec.driver, field.child('driver'));
  validateResourcePool(spec.pool ?? {}, field.child('pool'));
  if (old) {
    validateImmutableField(spec.pool?.name ?? '', old.pool?.name ?? '', field.child('pool', 'name'));
    validateImmutableField(spec.driver ?? '', old.driver ?? '', field.child('driver'));
    validateImmutableField(spec.nodeName, old.nodeName, field.child('nodeName'));
  }
  validateNodes(spec, field);
  const byName = { items: spec.devices ?? [], max: maxDevices, member: 'name', keyOf: ({ name = '' }: { name?: string }) => name };
  eachOfSet(byName, field.child('devices'), validateDevice);
}

function validateResourcePool({ name, resourceSliceCount = 0, generation = 0 }: Unvalidated<resource.ResourcePool>, field: Field): void {
  validatePoolName(name, field.child('name'));
  if (resourceSliceCount <= 0) {
    field.child('resourceSliceCount').invalid(resourceSliceCount, 'must be greater than zero');
  }
  if (generation < 0) field.child('generation').invalid(generation, 'must be greater than or equal to zero');
}

const choice = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

/** The nodes that have the devices. `perDeviceNodeSelection` is dropped before. */
function validateNodes({ nodeName, nodeSelector, allNodes }: ResourceSliceSpec, field: Field): void {
  if (nodeName) validateFormat(nodeName, dnsSubdomain, field.child('nodeName'));
  else if (nodeName !== undefined) {
    field.child('nodeName').invalid(nodeName, 'must be either unset or set to a non-empty string');
  }
  if (nodeSelector) {
    const at = field.child('nodeSelector');
    const terms = nodeSelector.nodeSelectorTerms;
    validateNodeSelector(nodeSelector, at);
    if (terms?.length !== 1) {
      at.child('nodeSelectorTerms').invalid(internalNodeSelectorTerms(terms), 'must have exactly one node selector term');
    }
  }
  if (allNodes === false) field.child('allNodes').invalid(allNodes, 'must be either unset or set to true');
  const set = [nodeName && '`nodeName`', nodeSelector && '`nodeSelector`', allNodes && '`allNodes`'].filter(Boolean);
  if (set.length === 0) field.required(choice);
  else if (set.length > 1) field.invalid(`{${set.join(', ')}}`, `${choice}, but multiple fields are set`);
}

export const resourceSliceWarnings: WriteWarnings<ResourceSlice> = warningsOnWrite(({ spec }) => {
  const driver = spec?.driver ?? '';
  if (driver === driver.toLowerCase()) return none;
  return [`spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`];
});
