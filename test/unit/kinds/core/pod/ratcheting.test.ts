import { expect, test } from '@jest/globals';
import type { PodSpec } from '../../../../../generated/v1.35/core/v1/types.ts';
import { validatePodSpec } from '../../../../../runtime/kinds/core/pod/pod-spec.ts';
import { validationOptionsFromPod } from '../../../../../runtime/kinds/core/pod/ratcheting.ts';
import { newPod, type PodValidationOptions } from '../../../../../runtime/kinds/core/pod/validation-options.ts';
import type { Unvalidated } from '../../../../../runtime/machinery/unvalidated.ts';
import { Field } from '../../../../../runtime/machinery/validation/field.ts';
import { FieldPath } from '../../../../../runtime/machinery/validation/field-path.ts';

/** A valid spec, with the defaults. */
const base: Unvalidated<PodSpec> = {
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  terminationGracePeriodSeconds: 30,
  containers: [
    {
      name: 'c',
      image: 'i',
      imagePullPolicy: 'Always',
      terminationMessagePolicy: 'File',
      terminationMessagePath: '/x',
    },
  ],
};

function errorsOf(spec: Unvalidated<PodSpec>, options: PodValidationOptions): string[] {
  const errors: Field['errors'] = [];
  validatePodSpec(spec, {}, Field.at(FieldPath.of('spec'), errors), options);
  return errors.map(({ field }) => field);
}

const [container] = base.containers ?? [];
const huge = { 'hugepages-2Mi': '3Mi', cpu: '1' };

test.each<[what: string, spec: Unvalidated<PodSpec>, field: string]>([
  [
    'huge pages that are not whole',
    { ...base, containers: [{ ...container, resources: { limits: huge, requests: huge } }] },
    'spec.containers[0].resources.limits[hugepages-2Mi]',
  ],
  ['an overhead of such pages', { ...base, overhead: huge }, 'spec.overhead.limits[hugepages-2Mi]'],
  [
    'sysctls of the network of the host',
    { ...base, hostNetwork: true, securityContext: { sysctls: [{ name: 'net.a', value: '1' }] } },
    'spec.securityContext.sysctls[0].name',
  ],
  ['the network of the host without its users', { ...base, hostUsers: false, hostNetwork: true }, 'spec.hostNetwork'],
  [
    'devices without the users of the host',
    {
      ...base,
      hostUsers: false,
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'v' } }],
      containers: [{ ...container, volumeDevices: [{ name: 'v', devicePath: '/d' }] }],
    },
    'spec.containers[0].volumeDevices',
  ],
])('a pod that has %s is refused, and keeps them if it is stored', (_what, spec, field) => {
  expect(errorsOf(spec, newPod)).toContain(field);
  expect(errorsOf(spec, validationOptionsFromPod({ spec }))).toEqual([]);
  expect(errorsOf(spec, validationOptionsFromPod({ spec: base }))).toContain(field);
});
