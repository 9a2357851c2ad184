import { componentPrefix } from '../load/field-facts.ts';
import { prefixOf } from '../load/packages.ts';
import { groupVersionOf } from './documents.ts';
import { ImportError, type ImportSource } from './source.ts';

/** The Go modules whose types Kubernetes serves, by the prefix of their components. */
const modules = ['k8s.io/api', 'k8s.io/apiextensions-apiserver', 'k8s.io/kube-aggregator', 'k8s.io/apimachinery'];

/**
 * Refuses documents with a package that its Go module lacks: documents and modules are of different releases.
 *
 * @throws ImportError
 */
export function checkSameRelease({ kind, documents, facts = {}, version }: ImportSource): void {
  if (kind !== 'published') return;
  const known = new Set(Object.keys(facts).map(componentPrefix));
  for (const [file, { components }] of documents) {
    const packages = new Set(Object.keys(components?.schemas ?? {}).map(prefixOf));
    for (const module of modules) {
      const prefix = `${componentPrefix(module)}.`;
      if (![...known].some((id) => id.startsWith(prefix))) continue;
      const lacking = [...packages].find((id) => id.startsWith(prefix) && isVersioned(id) && !known.has(id));
      if (lacking === undefined) continue;
      throw new ImportError(
        `${groupVersionOf(file)} has types of ${lacking}, which ${module}${version === undefined ? '' : ` of ${version}`} lacks: the documents and the Go modules are of different releases of Kubernetes`,
      );
    }
  }
}

const isVersioned = (id: string): boolean => /\.v\d\w*$/.test(id);

/** Returns a line for each kind of source that some of Kubernetes' own types lack, with the missing argument. */
export function missingPieces({ documents, protos, facts = {} }: ImportSource): string[] {
  const ids = [...documents.values()].flatMap((document) => Object.keys(document.components?.schemas ?? {}));
  const packages = new Set(ids.map(prefixOf));
  const ofModule = (module: string) => [...packages].filter((id) => id.startsWith(`${componentPrefix(module)}.`));
  // All documents have types of apimachinery; a custom group gets them from the schemas of this package.
  if (modules.slice(0, 3).every((module) => ofModule(module).length === 0)) return [];
  const withFacts = new Set(Object.keys(facts).map(componentPrefix));
  const withProtos = new Set([...protos.keys()].map((name) => componentPrefix(name.replace(/\/[^/]*$/, ''))));
  const lacking = (known: ReadonlySet<string>): string =>
    modules.filter((module) => ofModule(module).some((id) => isVersioned(id) && !known.has(id))).join(', ');
  const [go, proto] = [lacking(withFacts), lacking(withProtos)];
  return [
    ...(go ? [`no Go types of ${go}: the order of fields and what is omitted are not Kubernetes'; add --from with these Go modules`] : []),
    ...(proto ? [`no generated.proto of ${proto}: no protobuf; add --from with these Go modules`] : []),
  ];
}
