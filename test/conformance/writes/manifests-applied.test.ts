import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { fromFieldsV1, toFieldsV1 } from '../../../runtime/patch/fieldpath/fields-v1.ts';
import { HttpClient } from '../../support/http-client.ts';
import { describeShared } from '../../support/shared.ts';

const applyType = 'application/apply-patch+yaml';

interface Document {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  items?: Document[];
}

interface ServedResource {
  name: string;
  kind: string;
  namespaced: boolean;
}

/** Returns the object that `kubectl apply` creates. */
function withLastApplied({ metadata, ...document }: Document, text: string): string {
  const { annotations } = metadata as { annotations?: object };
  const lastApplied = { 'kubectl.kubernetes.io/last-applied-configuration': text };
  return JSON.stringify({ ...document, metadata: { ...metadata, annotations: { ...annotations, ...lastApplied } } });
}

describeShared('manifests of real projects, applied client-side, then server-side', (shared) => {
  const folder = join(shared, 'corpus', 'manifests');
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  let server: RunningServer;
  let http: HttpClient;
  const served = new Map<string, ServedResource[]>();

  beforeAll(async () => {
    // the manifests' webhooks do not run, and their policies and quotas must not affect other manifests
    const disableAdmissionPlugins = [
      'MutatingAdmissionWebhook',
      'ValidatingAdmissionWebhook',
      'MutatingAdmissionPolicy',
      'ValidatingAdmissionPolicy',
      'ResourceQuota',
      'LimitRanger',
      'ServiceAccount',
    ];
    // controllers that would own the statuses of quotas and policies
    const controllers = ['*', '-resourcequota-controller', '-validatingadmissionpolicy-status-controller'];
    server = await startServer({ disableAdmissionPlugins, controllers });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http.close();
    await server.close();
  });

  /** Returns the path of the collection; undefined if it is not served. */
  async function pathOf({ apiVersion, kind, metadata }: Document): Promise<string | undefined> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    if (!served.has(root)) served.set(root, (await http.get(root)).json.resources ?? []);
    const found = served.get(root)?.find((one) => one.kind === kind && !one.name.includes('/'));
    if (found === undefined) return undefined;
    if (!found.namespaced) return `${root}/${found.name}`;
    const namespace = metadata.namespace ?? 'default';
    const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await http.send('POST', '/api/v1/namespaces', JSON.stringify(made), 'application/json');
    return `${root}/namespaces/${namespace}/${found.name}`;
  }

  test.each(files)('%s: every owner is recorded, and a third apply writes nothing', async (name) => {
    const documents = parseAllDocuments(readFileSync(join(folder, name), 'utf8'))
      .map((document) => document.toJS() as Document | null)
      .flatMap((document) => document?.items ?? document ?? []);
    for (const document of documents) {
      const path = await pathOf(document);
      if (path === undefined || document.metadata.name === undefined) continue;
      const text = JSON.stringify(document);
      const clientSide = withLastApplied(document, text);
      await http.send('POST', `${path}?fieldManager=kubectl-client-side-apply`, clientSide, 'application/json');
      const apply = async (manager: string) => {
        const at = `${path}/${document.metadata.name}?fieldManager=${manager}`;
        const response = await http.send('PATCH', at, text, applyType);
        if (response.status !== 409) return response;
        // atomic fields with defaults differ from the applied ones, as does stringData
        expect(response.json.details.causes).not.toEqual([]);
        return http.send('PATCH', `${at}&force=true`, text, applyType);
      };
      const first = await apply('kubectl');
      expect([first.status, first.json.message]).toEqual([200, undefined]);
      const second = await apply('second');
      expect([second.status, second.json.message]).toEqual([200, undefined]);
      // objects with only a name have no owners
      for (const { apiVersion, fieldsType, fieldsV1 } of second.json.metadata.managedFields ?? []) {
        expect([apiVersion, fieldsType]).toEqual([document.apiVersion, 'FieldsV1']);
        expect(JSON.stringify(toFieldsV1(fromFieldsV1(fieldsV1)))).toBe(JSON.stringify(fieldsV1));
      }
      expect((await apply('second')).json).toEqual(second.json);
    }
  });
});
