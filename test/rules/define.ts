import type { RunningServer } from '../../runtime/index.ts';
import type { HttpClient } from '../support/http-client.ts';
import type { TestObject } from '../support/test-object.ts';
import { WatchStream } from '../support/watch-stream.ts';

/** The connection details of a server for a watch. */
export type Watched = Pick<RunningServer, 'url' | 'caCertificate' | 'clientCertificate' | 'clientKey'>;

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Creates a CustomResourceDefinition and waits until its kind is served. */
export async function define(server: Watched, http: HttpClient, definition: TestObject): Promise<void> {
  const body = JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    ...definition,
  });
  const { status, json } = await http.send('POST', definitions, body, 'application/json');
  if (status !== 201) throw new Error(`the definition is refused: ${json.message}`);
  const stream = await WatchStream.open(server, `${definitions}?watch=1&fieldSelector=metadata.name=${json.metadata.name}`);
  try {
    for (let event = await stream.next(); !isEstablished(event?.object); event = await stream.next()) {
      if (event === undefined) throw new Error('the watch of the definition ended');
    }
  } finally {
    stream.close();
  }
  // kube-apiserver serves a kind a moment after it is established
  const { group, versions } = json.spec;
  while ((await http.get(`/apis/${group}/${versions[0].name}`)).status !== 200);
}

const isEstablished = (definition: TestObject | undefined): boolean =>
  (definition?.status?.conditions ?? []).some(({ type, status }: TestObject) => type === 'Established' && status === 'True');
