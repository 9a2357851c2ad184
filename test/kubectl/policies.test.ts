import { expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import { TestServer } from '../support/test-server.ts';

const policy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few-replicas}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}
  validations:
  - {expression: object.spec.replicas <= 2, messageExpression: "'no more than 2 replicas, not ' + string(object.spec.replicas)"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everywhere}
spec: {policyName: few-replicas, validationActions: [ACTION]}
`;

describeKubectl('kubectl 1.35 with a ValidatingAdmissionPolicy', () => {
  const suite = TestServer.withKubectl();
  const apply = (action: string) => suite.kubectl.ok(['apply', '-f', '-'], { stdin: policy.replace('ACTION', action) });
  const message = (replicas: number): string =>
    `ValidatingAdmissionPolicy 'few-replicas' with binding 'everywhere' denied request: no more than 2 replicas, not ${replicas}`;

  test('shows why it denies, and its warnings', async () => {
    await apply('Deny');
    expect(await suite.kubectl.ok(['get', 'validatingadmissionpolicy,validatingadmissionpolicybinding', '--no-headers'])).toMatch(
      /few-replicas +1 +<unset> +\S+\n+\S*everywhere +few-replicas +<unset> +\S+\n$/,
    );
    const denied = await suite.kubectl.run(['create', 'deployment', 'web', '--image=nginx', '--replicas=3']);
    expect([denied.code, denied.stderr]).toEqual([
      1,
      `error: failed to create deployment: deployments.apps "web" is forbidden: ${message(3)}\n`,
    ]);
    await suite.kubectl.ok(['create', 'deployment', 'web', '--image=nginx', '--replicas=2']);
    const scaled = await suite.kubectl.run(['patch', 'deployment', 'web', '-p', '{"spec":{"replicas":5}}']);
    expect(scaled.stderr).toBe(`The deployments "web" is invalid: : ${message(5)}\n`);
    await apply('Warn');
    const { code, stderr } = await suite.kubectl.run(['patch', 'deployment', 'web', '-p', '{"spec":{"replicas":5}}']);
    expect([code, stderr]).toEqual([
      0,
      "Warning: Validation failed for ValidatingAdmissionPolicy 'few-replicas' with binding 'everywhere': no more than 2 replicas, not 5\n",
    ]);
  });
});
