import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { featureSpecs, parseFeatureGates } from '../../runtime/machinery/feature-gates/feature-gates.ts';
import { HttpClient } from '../support/http-client.ts';
import { KubeApiserver, missingKubeApiserver } from '../support/kube-apiserver.ts';
import { describeUnless } from '../support/skipping.ts';

const minor = 35;

/** The table of runtime/machinery/feature-gates. */
describeUnless(missingKubeApiserver)('the feature gates of v1.35', () => {
  let server: KubeApiserver;
  let http: HttpClient;

  beforeAll(async () => {
    server = await KubeApiserver.start();
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http?.close();
    await server?.stop();
  });

  test('are those of kube-apiserver, with its stages and defaults', async () => {
    const text = (await http.get('/metrics')).body.toString();
    const found = text.matchAll(/^kubernetes_feature_enabled\{name="(\w+)",stage="(\w*)"\} ([01])$/gm);
    const gates = parseFeatureGates([], minor);
    const ours = [...featureSpecs(minor)].map(([name, { stage }]) => {
      return [name, stage === 'ga' ? '' : stage.toUpperCase(), gates[name] ? '1' : '0'];
    });
    expect(ours.sort()).toEqual([...found].map(([, ...facts]) => facts).sort());
  });
});
