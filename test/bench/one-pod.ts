import { RawConnection } from './raw-client.ts';

const pods = '/api/v1/namespaces/default/pods';
const spec = { containers: [{ name: 'main', image: 'busybox' }] };
const body = JSON.stringify({ metadata: { name: 'p' }, spec });
const generated = JSON.stringify({ metadata: { generateName: 'p-' }, spec });

/** Requests for a small pod, for measurements where the pod's cost does not matter. */
export const onePod = {
  path: `${pods}/p`,
  create: RawConnection.request('POST', pods, body, { 'content-type': 'application/json' }),
  /** Creates another pod each time. */
  createGenerated: RawConnection.request('POST', pods, generated, { 'content-type': 'application/json' }),
  /** Sent by the administrator. */
  get: RawConnection.request('GET', `${pods}/p`),
  /** Served from the watch cache, regardless of other servers' writes. */
  getFromCache: RawConnection.request('GET', `${pods}/p?resourceVersion=0`),
  getWith: (token: string): Buffer => RawConnection.request('GET', `${pods}/p`, undefined, { authorization: `Bearer ${token}` }),
  /** Sent by an impersonated user whose only group is `testers`. */
  getAs: (user: string): Buffer =>
    RawConnection.request('GET', `${pods}/p`, undefined, { 'impersonate-user': user, 'impersonate-group': 'testers' }),
};
