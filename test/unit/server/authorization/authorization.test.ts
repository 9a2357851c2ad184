import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AuthorizerAttributes } from '../../../../runtime/authorization/authorizer.ts';
import { createLogger } from '../../../../runtime/machinery/logger.ts';
import { ServerAuthorization } from '../../../../runtime/server/authorization/authorization.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'authorization-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const attributes: AuthorizerAttributes = {
  user: { name: 'jane', uid: '', groups: [], extra: {} },
  verb: 'get',
  isResourceRequest: false,
  path: '/x',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
};
const named = (...types: readonly string[]): object[] => types.map((type) => ({ type, name: type.toLowerCase() }));
const configuration = (authorizers: readonly object[]): string =>
  JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers });

test('a configuration that is read again changes decisions only if it is valid', async () => {
  const path = join(folder, 'config.yaml');
  await writeFile(path, configuration(named('RBAC')));
  const authorization = await ServerAuthorization.open({
    options: { authorizationConfig: path },
    clock: new ManualClock(),
    logger: await createLogger('silent'),
    minor: 35,
  });
  try {
    const decisionAfter = async (text: string) => {
      await writeFile(path, text);
      await authorization.refresh();
      return authorization.authorizer.authorize(attributes);
    };
    const refused = { decision: 'no-opinion', reason: '' };
    const denied = { decision: 'no-opinion', reason: 'Everything is forbidden.' };
    expect(await authorization.authorizer.authorize(attributes)).toEqual(refused);
    expect(await decisionAfter(configuration(named('RBAC', 'AlwaysDeny')))).toEqual(denied);
    for (const invalid of ['{', configuration([]), configuration(named('RBAC', 'Magic')), configuration(named('AlwaysAllow'))]) {
      // the last configuration lacks RBAC, which existed at the start
      expect(await decisionAfter(invalid)).toEqual(denied);
    }
    expect(await decisionAfter(configuration(named('RBAC', 'AlwaysAllow')))).toEqual({ decision: 'allow', reason: '' });
    // an added authorizer may be removed again
    expect(await decisionAfter(configuration(named('RBAC')))).toEqual(refused);
  } finally {
    authorization.close();
  }
});
