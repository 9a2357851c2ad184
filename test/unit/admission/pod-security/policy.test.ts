import { describe, expect, test } from '@jest/globals';
import { loadPodSecurityConfiguration } from '../../../../runtime/admission/plugins/pod-security/configuration.ts';
import { levelVersionText, modes, policyToEvaluate } from '../../../../runtime/admission/plugins/pod-security/policy.ts';
import { fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';

const configurationOf = (text: string) =>
  loadPodSecurityConfiguration(Buffer.from(`apiVersion: pod-security.admission.config.k8s.io/v1\nkind: PodSecurityConfiguration\n${text}`));

describe('the policy of a namespace', () => {
  const { defaults } = loadPodSecurityConfiguration(undefined);
  const privileged = 'privileged:latest';

  test.each([
    [{}, [privileged, privileged, privileged]],
    [{ enforce: 'baseline' }, ['baseline:latest', privileged, 'baseline:latest']],
    [{ enforce: 'restricted', 'enforce-version': 'v1.24' }, ['restricted:v1.24', privileged, 'restricted:v1.24']],
    [{ enforce: 'restricted', 'warn-version': 'v1.9' }, ['restricted:latest', privileged, 'restricted:v1.9']],
    [{ enforce: 'restricted', warn: 'baseline' }, ['restricted:latest', privileged, 'baseline:latest']],
    [{ audit: 'restricted', 'audit-version': 'v1.0' }, [privileged, 'restricted:v1.0', privileged]],
    [{ enforce: 'strict', audit: 'x', warn: 'y' }, ['restricted:latest', privileged, privileged]],
    [{ enforce: 'baseline', 'enforce-version': 'v2.0' }, ['baseline:latest', privileged, 'baseline:latest']],
  ])('%j is %j', (labels, want) => {
    const prefixed = Object.fromEntries(Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));
    const { policy } = policyToEvaluate(prefixed, defaults);
    expect(modes.map((mode) => levelVersionText(policy[mode]))).toEqual(want);
  });

  test('says which labels are invalid', () => {
    const labels = { 'pod-security.kubernetes.io/enforce': 'x', 'pod-security.kubernetes.io/warn-version': 'v1.01' };
    expect(policyToEvaluate(labels, defaults).errors.map(fieldErrorMessage)).toEqual([
      'metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "x": must be one of privileged, baseline, restricted',
      'metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "v1.01": must be "latest" or "v1.x"',
    ]);
  });
});

describe('a PodSecurityConfiguration', () => {
  test('has defaults and exemptions', () => {
    const { defaults, exemptions } = configurationOf(
      'defaults: {enforce: baseline, enforce-version: v1.30, audit: restricted}\nexemptions: {namespaces: [kube-system], usernames: [u]}',
    );
    expect(modes.map((mode) => levelVersionText(defaults[mode]))).toEqual(['baseline:v1.30', 'restricted:latest', 'privileged:latest']);
    expect([...exemptions.namespaces, ...exemptions.usernames]).toEqual(['kube-system', 'u']);
  });

  test.each([
    ['defaults: {warn: x}', 'defaults.warn: Invalid value: "x": must be one of privileged, baseline, restricted'],
    ['defaults: {audit-version: x}', 'defaults.audit-version: Invalid value: "x": must be "latest" or "v1.x"'],
    ['exemptions: {namespaces: [a, a]}', 'exemptions.namespaces[1]: Duplicate value: "a"'],
    ['exemptions: {usernames: [""]}', 'exemptions.usernames[0]: Invalid value: "": username must not be empty'],
    ['default: {}', 'strict decoding error: unknown field "default"'],
  ])('%s is refused', (text, message) => {
    expect(() => configurationOf(text)).toThrow(message);
  });
});
