import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeRules } from '../rules/describe-rules.ts';
import { ruleServerOptions } from '../rules/server-options.ts';
import { HttpClient } from '../support/http-client.ts';
import { KubeApiserver, missingKubeApiserver } from '../support/kube-apiserver.ts';
import { describeUnless } from '../support/skipping.ts';

const {
  disableAdmissionPlugins = [],
  featureGates = [],
  runtimeConfig = [],
  serviceClusterIpRange,
} = ruleServerOptions;

/** The tables of test/rules. */
describeUnless(missingKubeApiserver)('the tables of rules hold on kube-apiserver', () => {
  let server: KubeApiserver;
  let http: HttpClient;

  beforeAll(async () => {
    server = await KubeApiserver.start({
      args: [
        `--disable-admission-plugins=${['ServiceAccount', ...disableAdmissionPlugins]}`,
        `--feature-gates=${featureGates}`,
        `--runtime-config=${runtimeConfig}`,
        `--service-cluster-ip-range=${serviceClusterIpRange}`,
      ],
    });
    http = HttpClient.for(server);
    // made by a controller in a cluster
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await http.send('POST', accounts, '{"metadata":{"name":"default"}}', 'application/json');
  });
  afterAll(async () => {
    http?.close();
    await server?.stop();
  });

  describe('each row', () => describeRules(() => ({ http, server })));
});
