import { componentPrefix } from '../load/field-facts.ts';
import { prefixOf } from '../load/packages.ts';
import type { ImportSource } from './source.ts';

/** The Go modules whose types Kubernetes serves, by the prefix of their components. */
const modules = ['k8s.io/api', 'k8s.io/apiextensions-apiserver', 'k8s.io/kube-aggregator', 'k8s.io/apimachinery'];

/** A line for each kind of source that some of Kubernetes' own types lack, with what to pass. */
export function missingPieces({ documents, protos, facts = {} }: ImportSource): string[] {
  const ids = [...documents.values()].flatMap((document) => Object.keys(document.components?.schemas ?? {}));
  const packages = new Set(ids.map(prefixOf));
  const ofModule = (module: string) => [...packages].filter((id) => id.startsWith(`${componentPrefix(module)}.`));
  // Types of apimachinery are in all documents; a group of one's own gets them from the schemas of this package.
  if (modules.slice(0, 3).every((module) => ofModule(module).length === 0)) return [];
  const withFacts = new Set(Object.keys(facts).map(componentPrefix));
  const withProtos = new Set([...protos.keys()].map((name) => componentPrefix(name.replace(/\/[^/]*$/, ''))));
  const lacking = (known: ReadonlySet<string>): string =>
    modules.filter((module) => ofModule(module).some((id) => /\.v\d\w*$/.test(id) && !known.has(id))).join(', ');
  const [go, proto] = [lacking(withFacts), lacking(withProtos)];
  return [
    ...(go
      ? [
          `no Go types of ${go}: the order of fields and what is omitted are not Kubernetes'; add --from with these Go modules`,
        ]
      : []),
    ...(proto ? [`no generated.proto of ${proto}: no protobuf; add --from with these Go modules`] : []),
  ];
}
