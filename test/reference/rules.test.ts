import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeRules, type RowExceptions } from '../rules/describe-rules.ts';
import { ruleServerOptions } from '../rules/server-options.ts';
import { HttpClient } from '../support/http-client.ts';
import { KubeApiserver, missingKubeApiserver } from '../support/kube-apiserver.ts';
import { describeUnless } from '../support/skipping.ts';

const { disableAdmissionPlugins = [], featureGates = [], runtimeConfig = [], serviceClusterIpRange } = ruleServerOptions;

const panics = 'kube-apiserver v1.35.0 panics and closes the connection';
const shortens = 'kubeloom shortens values in messages, so that a response is not larger than its request';

/** Rows where this server is better, or whose results vary. */
const exceptions: RowExceptions = {
  'apiextensions.k8s.io/custom-resource-definition/definition › spec.schema.openAPIV3Schema: of selectable fields, not structural': panics,
  'apiextensions.k8s.io/custom-resource-definition/definition › spec.versions[1].schema.openAPIV3Schema: of selectable fields, not structural, of the second version':
    panics,
  'core/pod/windows › spec.securityContext.windowsOptions.gmsaCredentialSpec: more than 64 KiB': shortens,
  'core/pod/windows › spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpec: more than 64 KiB': shortens,
  'authorization.k8s.io/self-subject-rules-review › what the user may do':
    'kube-apiserver lists the rules of bindings in the order of a Go map',
};

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
    // a controller creates it in a cluster
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await http.send('POST', accounts, '{"metadata":{"name":"default"}}', 'application/json');
  });
  afterAll(async () => {
    http?.close();
    await server?.stop();
  });

  describe('each row', () => describeRules(() => ({ http, server }), exceptions));
});
