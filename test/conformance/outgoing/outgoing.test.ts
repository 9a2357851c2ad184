import { describe } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { describeOutgoing } from '../../support/outgoing/describe-outgoing.ts';

describe('requests to other servers, with every kind of certificate, path, answer and redirect', () => {
  describeOutgoing(async (probe) => {
    const server = await startServer({
      authorizationConfig: probe.file('authorization.json'),
      authenticationTokenWebhookConfigFile: probe.file('token.json'),
      authenticationTokenWebhookVersion: 'v1',
      auditPolicyFile: probe.file('policy.json'),
      auditWebhookConfigFile: probe.file('audit.json'),
      auditWebhookMode: 'blocking',
      auditWebhookInitialBackoff: 1,
    });
    return { address: server, stop: () => server.close() };
  });
});
