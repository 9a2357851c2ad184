import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeRules } from '../rules/describe-rules.ts';
import { ruleServerOptions } from '../rules/server-options.ts';
import { HttpClient } from '../support/http-client.ts';
import { KubeApiserver, missingKubeApiserver } from '../support/kube-apiserver.ts';
import { describeUnless } from '../support/skipping.ts';

const { disableAdmissionPlugins = [], runtimeConfig = [], serviceClusterIpRange } = ruleServerOptions;

/** The tables of test/rules. */
describeUnless(missingKubeApiserver)('the tables of rules hold on kube-apiserver', () => {
  let server: KubeApiserver;
  let http: HttpClient;

  beforeAll(async () => {
    server = await KubeApiserver.start({
      args: [
        `--disable-admission-plugins=${['ServiceAccount', ...disableAdmissionPlugins]}`,
        `--runtime-config=${runtimeConfig}`,
        `--service-cluster-ip-range=${serviceClusterIpRange}`,
      ],
    });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http?.close();
    await server?.stop();
  });

  describe('each row', () => describeRules(() => ({ http, server })));
});
