import { expect, test } from '@jest/globals';
import { persistentVolumeStrategy } from '../../../runtime/kinds/core/persistent-volume.ts';
import { persistentVolumeClaimStrategy } from '../../../runtime/kinds/core/persistent-volume-claim.ts';
import { validationOptionsFromPod } from '../../../runtime/kinds/core/pod/ratcheting.ts';
import { newPod } from '../../../runtime/kinds/core/pod/validation-options.ts';
import { validateVolumes } from '../../../runtime/kinds/core/pod/volumes.ts';
import { csiStorageCapacityStrategy } from '../../../runtime/kinds/storage.k8s.io/csi-storage-capacity.ts';
import { Field } from '../../../runtime/machinery/validation/field.ts';
import type { FieldError } from '../../../runtime/machinery/validation/field-error.ts';
import { FieldErrors } from '../../../runtime/machinery/validation/field-errors.ts';
import { FieldPath } from '../../../runtime/machinery/validation/field-path.ts';
import type { RESTStrategy, WriteContext } from '../../../runtime/resources/rest.ts';
import type { TestValue } from '../../support/test-object.ts';

/* Objects that an older server has stored stay valid, even if a create would now be refused. */

const wrong = { key: 'a', operator: 'In', values: ['not a label value'] };
const claim = {
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, volumeMode: 'Filesystem' },
};
const volume = {
  spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1' }, hostPath: { path: '/' }, volumeMode: 'Block' },
};
const source = { apiGroup: 'Not a group', kind: 'K', name: 'a' };

const context = { part: 'main' } as WriteContext;

function fieldsOf(run: (errors: FieldError[]) => void): string[] {
  const errors = new FieldErrors();
  run(errors);
  return errors.map(({ field }) => field);
}

test.each<[kind: string, strategy: RESTStrategy, object: TestValue, field: string]>([
  [
    'the affinity of a volume',
    persistentVolumeStrategy,
    {
      spec: { ...volume.spec, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [wrong] }] } } },
    },
    'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values[0]',
  ],
  [
    'the selector of a claim',
    persistentVolumeClaimStrategy,
    { spec: { ...claim.spec, selector: { matchExpressions: [wrong] } } },
    'spec.selector.matchExpressions[0].values[0]',
  ],
  [
    'the group of the source of a claim',
    persistentVolumeClaimStrategy,
    { spec: { ...claim.spec, dataSourceRef: source } },
    'spec.dataSourceRef.apiGroup',
  ],
  [
    'the topology of a capacity',
    csiStorageCapacityStrategy,
    { storageClassName: 'a', nodeTopology: { matchExpressions: [wrong] } },
    'nodeTopology.matchExpressions[0].values[0]',
  ],
])('%s may be wrong if it is stored like this', (_, strategy, object, field) => {
  const created = structuredClone(object);
  expect(fieldsOf((errors) => strategy.validateCreate?.(created, errors, context))).toEqual([field]);
  const [now, old] = [structuredClone(object), structuredClone(object)];
  expect(fieldsOf((errors) => strategy.validateUpdate?.(now, old, errors, context))).toEqual([]);
});

test('the path of a token may be wrong if it is stored like this', () => {
  const sources = [{ serviceAccountToken: { path: '..', expirationSeconds: 3600 } }];
  const pod = { metadata: { name: 'p' }, spec: { volumes: [{ name: 'v', projected: { defaultMode: 420, sources } }] } };
  const fieldsWith = (options: typeof newPod): string[] =>
    fieldsOf((errors) => {
      validateVolumes(pod.spec.volumes, pod.metadata, Field.at(FieldPath.of('volumes'), errors), options);
    });
  expect(fieldsWith(newPod)).toEqual(['volumes[0].projected.path', 'volumes[0].projected.path']);
  expect(fieldsWith(validationOptionsFromPod(pod))).toEqual([]);
});
