import { describe, expect, test } from '@jest/globals';
import { type Any, WorkloadServer } from './workload-server.ts';

const definition = {
  metadata: { name: 'stages.kwok.x-k8s.io' },
  spec: {
    group: 'kwok.x-k8s.io',
    scope: 'Cluster',
    names: { plural: 'stages', singular: 'stage', kind: 'Stage' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const stage = {
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind: 'Stage',
  metadata: { name: 'config-map-signed' },
  spec: {
    resourceRef: { apiGroup: 'v1', kind: 'ConfigMap' },
    selector: { matchLabels: { sign: 'yes' } },
    next: { patches: [{ type: 'merge', template: 'data: { signature: {{ .metadata.name }} }' }] },
  },
};

describe.each([
  ['moves objects', true],
  ['does nothing unless it is followed', false],
])('a Stage that is an object in the server', (title, stageObjects) => {
  const server = new WorkloadServer({ stageObjects });

  test(title, async () => {
    const path = await server.namespace();
    const definitions = 'apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await server.post(`/${definitions}`, definition);
    await server.until(`/${definitions}/stages.kwok.x-k8s.io`, ({ status }: Any) =>
      status?.conditions?.some(({ type, status: value }: Any) => type === 'Established' && value === 'True'),
    );
    await server.post('/apis/kwok.x-k8s.io/v1alpha1/stages', stage);
    await server.post(path('api/v1/configmaps'), { metadata: { name: 'letter', labels: { sign: 'yes' } } });
    if (stageObjects) {
      const { data } = await server.until(path('api/v1/configmaps', 'letter'), (object: Any) => object.data !== undefined);
      expect(data).toEqual({ signature: 'letter' });
      return;
    }
    // a running pod shows that watchers of Stages have had time to see this one
    await server.post(path('api/v1/pods'), {
      metadata: { name: 'pod' },
      spec: { containers: [{ name: 'c', image: 'i:1' }] },
    });
    await server.until(path('api/v1/pods', 'pod'), ({ status }: Any) => status.phase === 'Running');
    expect((await server.get(path('api/v1/configmaps', 'letter'))).data).toBeUndefined();
  });
});
