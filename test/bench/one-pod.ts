import { RawConnection } from './raw-client.ts';

const pods = '/api/v1/namespaces/default/pods';
const spec = { containers: [{ name: 'main', image: 'busybox' }] };
const body = JSON.stringify({ metadata: { name: 'p' }, spec });
const generated = JSON.stringify({ metadata: { generateName: 'p-' }, spec });

/** Requests for a small pod, for measurements in which the cost of the pod does not matter. */
export const onePod = {
  path: `${pods}/p`,
  create: RawConnection.request('POST', pods, body, { 'content-type': 'application/json' }),
  /** Another one with each request. */
  createGenerated: RawConnection.request('POST', pods, generated, { 'content-type': 'application/json' }),
  /** As the administrator. */
  get: RawConnection.request('GET', `${pods}/p`),
  /** From the watch cache, whatever other servers have written meanwhile. */
  getFromCache: RawConnection.request('GET', `${pods}/p?resourceVersion=0`),
  getWith: (token: string): Buffer => RawConnection.request('GET', `${pods}/p`, undefined, { authorization: `Bearer ${token}` }),
  /** As a user whose only group is `testers`, by impersonation. */
  getAs: (user: string): Buffer =>
    RawConnection.request('GET', `${pods}/p`, undefined, { 'impersonate-user': user, 'impersonate-group': 'testers' }),
};
