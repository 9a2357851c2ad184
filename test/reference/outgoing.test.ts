import { KubeApiserver, missingKubeApiserver } from '../support/kube-apiserver.ts';
import { describeOutgoing } from '../support/outgoing/describe-outgoing.ts';
import { describeUnless } from '../support/skipping.ts';

/** The table of test/conformance/outgoing. */
describeUnless(missingKubeApiserver)('requests of kube-apiserver to other servers', () => {
  describeOutgoing(async (probe) => {
    const server = await KubeApiserver.start({
      args: [
        `--authorization-config=${probe.file('authorization.json')}`,
        `--authentication-token-webhook-config-file=${probe.file('token.json')}`,
        '--authentication-token-webhook-version=v1',
        `--audit-policy-file=${probe.file('policy.json')}`,
        `--audit-webhook-config-file=${probe.file('audit.json')}`,
        '--audit-webhook-mode=blocking',
        '--audit-webhook-initial-backoff=1ms',
      ],
    });
    return { address: server, stop: () => server.stop() };
  });
});
