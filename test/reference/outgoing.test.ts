import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HttpClient } from '../support/http-client.ts';
import { KubeApiserver, missingKubeApiserver } from '../support/kube-apiserver.ts';
import { callers, OutgoingProbe } from '../support/outgoing/probe-run.ts';
import { wantedOutcomes } from '../support/outgoing/wanted.ts';
import { describeUnless } from '../support/skipping.ts';

/** The table of test/conformance/outgoing. */
describeUnless(missingKubeApiserver)('the table of requests to other servers holds on kube-apiserver', () => {
  let probe: OutgoingProbe;
  let server: KubeApiserver;
  let http: HttpClient;

  beforeAll(async () => {
    probe = await OutgoingProbe.open();
    server = await KubeApiserver.start({
      args: [
        `--authorization-config=${probe.file('authorization.json')}`,
        `--authentication-token-webhook-config-file=${probe.file('token.json')}`,
        '--authentication-token-webhook-version=v1',
        `--audit-policy-file=${probe.file('policy.json')}`,
        `--audit-webhook-config-file=${probe.file('audit.json')}`,
        ...['--audit-webhook-mode=blocking', '--audit-webhook-initial-backoff=1ms'],
      ],
    });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http?.close();
    await server?.stop();
    await probe?.close();
  });

  test.each(callers)('for %s', async (caller) => {
    expect(await probe.run(caller, http)).toEqual(wantedOutcomes(caller));
  });
});
