import { describe, expect, test } from '@jest/globals';
import { withoutDisabledFields } from '../../../runtime/kinds/disabled-fields.ts';
import { disabledFields } from '../../../runtime/kinds/gated-fields.ts';
import { parseFeatureGates } from '../../../runtime/machinery/feature-gates/feature-gates.ts';
import type { KubeObject } from '../../../runtime/machinery/object.ts';
import type { WriteContext } from '../../../runtime/resources/rest.ts';

const claims = 'resource.k8s.io/resourceclaims';
const slices = 'resource.k8s.io/resourceslices';
const deployments = 'apps/deployments';

/** Returns the object after a write in a release. */
function written(minor: number, key: string, given: object, stored?: object): object {
  const gates = new Map(disabledFields(parseFeatureGates([], minor), minor)).get(key) ?? [];
  const strategy = withoutDisabledFields({}, gates);
  const object = structuredClone(given) as KubeObject;
  if (stored === undefined) strategy.prepareForCreate?.(object, {} as WriteContext);
  else strategy.prepareForUpdate?.(object, stored as KubeObject, {} as WriteContext);
  return object;
}

const claim = (exactly: object): object => ({ spec: { devices: { requests: [{ name: 'r', exactly }] } } });
const tolerations = [{ operator: 'Exists' }];
const device = (fields: object): object => ({ spec: { nodeName: 'n', devices: [{ name: 'x', ...fields }] } });
const pod = (spec: object): object => ({ spec: { template: { spec } } });
const image = { volumes: [{ name: 'v', image: { reference: 'i' } }] };
const bare = { volumes: [{ name: 'v' }] };

describe('fields of gates', () => {
  test.each<[about: string, minor: number, key: string, given: object, stored: object | undefined, want: object]>([
    ['go while the gate is off', 35, claims, claim({ tolerations }), undefined, claim({})],
    ['stay in a release that forgets to drop them', 34, claims, claim({ tolerations }), undefined, claim({ tolerations })],
    ['stay once it is on', 36, claims, claim({ tolerations }), undefined, claim({ tolerations })],
    ['stay if what is stored has them', 35, claims, claim({ tolerations }), claim({ tolerations }), claim({ tolerations })],
    ['go if what is stored has empty ones', 35, claims, claim({ tolerations }), claim({ tolerations: [] }), claim({})],
    [
      ...(['go if what is stored has only those of others', 35, slices] as const),
      ...([device({ taints: [{ key: 'a' }], bindsToNode: true }), device({ bindsToNode: false })] as const),
      device({ bindsToNode: true }),
    ],
    ['go from maps', 34, slices, device({ capacity: { a: { requestPolicy: {} } } }), undefined, device({ capacity: { a: {} } })],
    ['go from templates of pods', 34, deployments, pod(image), undefined, pod(bare)],
    ['stay in templates of pods', 35, deployments, pod(image), undefined, pod(image)],
    [
      'go from each list of containers',
      32,
      '/pods',
      { spec: { initContainers: [{ resizePolicy: [] }] } },
      undefined,
      { spec: { initContainers: [{}] } },
    ],
    ['go from statuses', 34, deployments, { status: { terminatingReplicas: 1 } }, undefined, { status: {} }],
  ])('%s (v1.%i, %s)', (_, minor, key, given, stored, want) => {
    expect(written(minor, key, given, stored)).toEqual(want);
  });
});
