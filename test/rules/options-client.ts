import type { HttpClient, HttpResponse } from '../support/http-client.ts';
import type { TestObject } from '../support/test-object.ts';

/** The group of request options, which tables treat as kinds. */
export const optionsVersion = 'meta.k8s.io/v1';

const collection = '/api/v1/namespaces/default/configmaps';
const one = `${collection}/options`;
const configMap = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'options' } });

/** Sends a request with the options, without lasting effect. `type` is that of a patch. */
export async function sendOptions(http: HttpClient, { kind, apiVersion, type, ...options }: TestObject): Promise<HttpResponse> {
  const query = queryOf(options);
  switch (kind) {
    case 'ListOptions': {
      const { status, ...head } = await http.get(`${collection}?${query}`, { headOnly: true });
      return status < 300 ? { status, ...head } : http.get(`${collection}?${query}`);
    }
    case 'TableOptions':
      return http.get(`${collection}?${query}`, {
        headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      });
    case 'PodLogOptions': {
      const { status, ...rest } = await http.get(`/api/v1/namespaces/default/pods/logged/log?${query}`);
      return { ...rest, status: status === 204 ? 200 : status };
    }
    case 'CreateOptions':
      return afterwards(http, http.send('POST', `${collection}?${query}`, configMap, 'application/json'));
  }
  const { status } = await http.send('POST', collection, configMap, 'application/json');
  if (status !== 201) throw new Error(`the object for the options is refused: ${status}`);
  if (kind === 'DeleteOptions') {
    const body = JSON.stringify({ kind, apiVersion, ...options });
    return afterwards(http, http.send('DELETE', one, body, 'application/json'));
  }
  const method = kind === 'PatchOptions' ? 'PATCH' : 'PUT';
  return afterwards(http, http.send(method, `${one}?${query}`, configMap, type ?? 'application/json'));
}

/** `{ dryRun: ['All'], force: true }` as `dryRun=All&force=true`. */
function queryOf(options: TestObject): string {
  const pairs: [string, string][] = Object.entries(options).flatMap(([key, value]) => [value].flat().map((item) => [key, String(item)]));
  return new URLSearchParams(pairs).toString();
}

async function afterwards(http: HttpClient, request: Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await request;
  } finally {
    const { json } = await http.send('DELETE', `${one}?propagationPolicy=Background`);
    // in a cluster, the garbage collector removes the finalizers of other policies
    const withoutFinalizers = '{"metadata":{"finalizers":null}}';
    if (json.kind === 'ConfigMap') await http.send('PATCH', one, withoutFinalizers, 'application/merge-patch+json');
  }
}
