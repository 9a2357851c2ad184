import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../runtime/index.ts';
import { Kubectl } from '../support/kubectl.ts';
import { startTestServer } from '../support/test-server.ts';

describe('kubectl', () => {
  let server: RunningServer;
  let kubectl: Kubectl;

  beforeAll(async () => {
    server = await startTestServer({ seed: 1 });
    kubectl = await Kubectl.for(server.kubeconfig, '1.35');
  });

  afterAll(async () => {
    await kubectl.close();
    await server.close();
  });

  test('accepts the certificates and tokens of a server with a seed', async () => {
    const token = (await kubectl.ok(['create', 'token', 'default'])).trim();
    expect(JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString()).alg).toBe('RS256');
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    const reviewed = await kubectl.ok(['create', '-f', '-', '-o', 'json'], { stdin: JSON.stringify(review) });
    expect(JSON.parse(reviewed).status.user.username).toBe('system:serviceaccount:default:default');
  });
});
