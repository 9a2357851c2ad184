import { expect, test } from '@jest/globals';
import { catalog } from '../../../../generated/v1.35/catalog.ts';
import { apiResourceList } from '../../../../runtime/endpoints/discovery/unaggregated.ts';

/** (pkg/controlplane/storageversionhashdata; the last two: from a cluster) */
test.each([
  ['v1', 'events', 'r2yiGXH7wu8='],
  ['events.k8s.io/v1', 'events', 'r2yiGXH7wu8='],
  ['autoscaling/v1', 'horizontalpodautoscalers', 'qwQve8ut294='],
  ['autoscaling/v2', 'horizontalpodautoscalers', 'qwQve8ut294='],
  ['networking.k8s.io/v1', 'ipaddresses', '3f/plJFChNE='],
  ['networking.k8s.io/v1beta1', 'ipaddresses', '3f/plJFChNE='],
  ['resource.k8s.io/v1', 'deviceclasses', 'Yk2PTc1Ybxk='],
  ['resource.k8s.io/v1beta1', 'deviceclasses', 'Yk2PTc1Ybxk='],
  ['storage.k8s.io/v1', 'volumeattributesclasses', 'Bl3MtjZ/n/s='],
  ['flowcontrol.apiserver.k8s.io/v1', 'flowschemas', 'GJVAJZSZBIw='],
  ['apiextensions.k8s.io/v1', 'customresourcedefinitions', 'jfWCUB31mvA='],
  ['apiregistration.k8s.io/v1', 'apiservices', 'InPBPD7+PqM='],
])('%s %s are stored at the version of kube-apiserver', (apiVersion, name, storageVersionHash) => {
  const lists = catalog.groupVersions.map(apiResourceList);
  const list = lists.find(({ groupVersion }) => groupVersion === apiVersion);
  expect(list?.resources).toContainEqual(expect.objectContaining({ name, storageVersionHash }));
});
