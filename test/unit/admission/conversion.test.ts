import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requestedVersion, versionedObjects } from '../../../runtime/admission/conversion.ts';
import type { Attributes } from '../../../runtime/machinery/admission.ts';
import type { ResourceDefinition } from '../../../runtime/machinery/resource.ts';
import type { RegistryEntry } from '../../../runtime/resources/registry.ts';
import { openTestStores, type TestStores } from '../../support/resource-stores.ts';
import type { TestObject } from '../../support/test-object.ts';

let stores: TestStores;

beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const autoscaler: TestObject = {
  apiVersion: 'autoscaling/v1',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'one' },
  spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'web' }, targetCPUUtilizationPercentage: 80 },
  status: { currentReplicas: 0, desiredReplicas: 0 },
};

async function attributes(): Promise<Attributes> {
  const { definition } = await stores.of('autoscaling/horizontalpodautoscalers');
  return {
    definition,
    type: definition.type,
    subresource: '',
    operation: 'UPDATE',
    object: autoscaler,
    oldObject: autoscaler,
  } as unknown as Attributes;
}

test('objects of a write are converted to the version of a rule and back, and the given ones do not change', async () => {
  const before = structuredClone(autoscaler);
  const write = await attributes();
  const equivalent = stores.stores.registry.lookup('autoscaling', 'v2', 'horizontalpodautoscalers') as RegistryEntry;
  const { object, oldObject, type } = await versionedObjects(write, equivalent);
  expect(type.version).toBe('v2');
  for (const one of [object, oldObject] as TestObject[]) {
    expect(one.apiVersion).toBe('autoscaling/v2');
    expect(one.spec.metrics[0].resource.target.averageUtilization).toBe(80);
  }
  const changed = structuredClone(object) as TestObject;
  changed.spec.maxReplicas = 5;
  const back = await requestedVersion(changed, write, equivalent.definition as ResourceDefinition);
  expect(back).toEqual({ ...before, spec: { ...before.spec, maxReplicas: 5 } });
  expect(autoscaler).toEqual(before);
});
