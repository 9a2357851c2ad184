import { describe, expect, test } from '@jest/globals';
import { groupOperation, operationId, operationTag } from '../../../runtime/machinery/openapi-operation-id.ts';

describe('the operationId and the tag', () => {
  test.each([
    ['example.com', 'v1', 'readExampleComV1NamespacedFox', 'exampleCom_v1'],
    ['gateway.networking.k8s.io', 'v1beta1', 'readGatewayNetworkingV1beta1NamespacedFox', 'gatewayNetworking_v1beta1'],
    ['a-b.k8s.io.example.com', 'v1', 'readABK8sIoExampleComV1NamespacedFox', 'aBK8sIoExampleCom_v1'],
    ['3scale.net', 'v1', 'readScaleNetV1NamespacedFox', 'ScaleNet_v1'],
  ])('of %s/%s', (group, version, id, tag) => {
    expect(operationId('read', { group, version }, 'NamespacedFox')).toBe(id);
    expect(operationTag({ group, version })).toBe(tag);
  });

  test('of a group', () => {
    expect(groupOperation('flowcontrol.apiserver.k8s.io')).toEqual({
      operationId: 'getFlowcontrolApiserverAPIGroup',
      tag: 'flowcontrolApiserver',
    });
  });
});
