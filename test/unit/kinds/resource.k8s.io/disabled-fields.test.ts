import { expect, test } from '@jest/globals';
import {
  dropDisabledClaimFields,
  dropDisabledSliceFields,
} from '../../../../runtime/kinds/resource.k8s.io/disabled-fields.ts';

const claim = (tolerations: object[]) => ({
  devices: { requests: [{ name: 'r', exactly: { tolerations, capacity: { requests: { a: '1' } } } }] },
});

test('fields of a gate that is off stay if what is stored uses the gate', () => {
  const spec = claim([{ operator: 'Exists' }]);
  dropDisabledClaimFields(spec, claim([{ operator: 'Exists' }]));
  expect(spec).toEqual(claim([{ operator: 'Exists' }]));
});

test('fields of a gate go if what is stored uses only others', () => {
  const spec = { nodeName: 'n', devices: [{ name: 'x', taints: [{ key: 'a' }], bindsToNode: true }] };
  dropDisabledSliceFields(spec, { devices: [{ name: 'x', bindsToNode: false }] });
  expect(spec).toEqual({ nodeName: 'n', devices: [{ name: 'x', bindsToNode: true }] });
});
