import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { describeKubectl } from '../support/kubectl.ts';
import { describeShared } from '../support/shared.ts';
import { TestServer } from '../support/test-server.ts';

interface Document {
  kind?: string;
  metadata?: { namespace?: string };
}

/** Returns the namespaces that a manifest uses but does not contain. */
function missingNamespaces(text: string): string[] {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as Document | null);
  return [...new Set(documents.map((document) => document?.metadata?.namespace))].filter(
    (namespace): namespace is string => namespace !== undefined,
  );
}

describeShared('manifests of real projects', (shared) => {
  const folder = join(shared, 'corpus', 'manifests');
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

  describeKubectl('and kubectl', () => {
    const suite = TestServer.withKubectl();
    const namespaces = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

    /** Returns uid and resourceVersion of every object of a manifest. */
    async function versionsOf(file: string): Promise<string[]> {
      const read = JSON.parse(await suite.kubectl.ok(['get', '-f', file, '-o', 'json']));
      const items: { metadata: { uid: string; resourceVersion: string } }[] = read.kind === 'List' ? read.items : [read];
      return items.map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`);
    }

    test.each(files)('%s applies, reads back, does not change when applied again, and deletes', async (name) => {
      const file = join(folder, name);
      for (const namespace of missingNamespaces(readFileSync(file, 'utf8'))) {
        if (!namespaces.has(namespace)) await suite.kubectl.run(['create', 'namespace', namespace]);
        namespaces.add(namespace);
      }
      const applied = await suite.kubectl.ok(['apply', '-f', file]);
      expect(
        applied
          .trim()
          .split('\n')
          .every((line) => /(created|configured|unchanged)$/.test(line)),
      ).toBe(true);
      const before = await versionsOf(file);
      expect(before.length).toBeGreaterThan(0);
      // kubectl may print "configured" if it does not know that the server stores the same value in another form, such
      // as cpu: 0.5
      await suite.kubectl.ok(['apply', '-f', file]);
      expect(await versionsOf(file)).toEqual(before);
      await suite.kubectl.ok(['delete', '-f', file, '--timeout=120s', '--ignore-not-found']);
      for (const namespace of missingNamespaces(readFileSync(file, 'utf8'))) namespaces.delete(namespace);
      namespaces.add('default').add('kube-system');
    });
  });
});
