import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { callers, OutgoingProbe } from '../../support/outgoing/probe-run.ts';
import { wantedOutcomes } from '../../support/outgoing/wanted.ts';

describe('requests to other servers, with every kind of certificate, path, answer and redirect', () => {
  let probe: OutgoingProbe;
  let server: RunningServer;
  let http: HttpClient;

  beforeAll(async () => {
    probe = await OutgoingProbe.open();
    server = await startServer({
      authorizationConfig: probe.file('authorization.json'),
      ...{ authenticationTokenWebhookConfigFile: probe.file('token.json'), authenticationTokenWebhookVersion: 'v1' },
      ...{ auditPolicyFile: probe.file('policy.json'), auditWebhookConfigFile: probe.file('audit.json') },
      ...{ auditWebhookMode: 'blocking', auditWebhookInitialBackoff: 1 },
    });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
    await probe?.close();
  });

  test.each(callers)('of %s end as those of kube-apiserver', async (caller) => {
    expect(await probe.run(caller, http)).toEqual(wantedOutcomes(caller));
  });
});
