import type { GroupVersion, RecognizesKind } from './gvk.ts';
import type { ResourceDefinition, ResourceFacts, TypeDefinition } from './resource.ts';

/** One group-version. Its facts are available at once; its functions load on first use. */
export interface GroupVersionCatalog extends GroupVersion {
  readonly resources: readonly ResourceFacts[];
  /** Loads the definitions, one for each entry of `resources`, in the same order. The result is kept. */
  load(): Promise<readonly ResourceDefinition[]>;
  /**
   * The absolute path of the OpenAPI v3 document, and the sha512 of its bytes (in upper-case hex, as upstream's hash
   * parameter).
   */
  readonly openapi?: { readonly file: string; readonly hash: string } | undefined;
  /** An OpenAPI v3 document that is not served, but whose schemas other documents may refer to. */
  readonly schemasFile?: string | undefined;
  /** The parts of resources that were added while the server runs. */
  readonly openapiParts?: readonly OpenApiPart[];
}

/** The part of one resource in the OpenAPI documents of its group-version. Built on first use. */
export interface OpenApiPart {
  /** Changes whenever the part changes. */
  readonly state: string;
  v3(): Promise<OpenApiMembers>;
  v2(): Promise<OpenApiMembers>;
}

/** JSON by name: the entries of `paths`, and of `components.schemas` or `definitions`. */
export interface OpenApiMembers {
  readonly paths: ReadonlyMap<string, string>;
  readonly schemas: ReadonlyMap<string, string>;
  /** The parameters that operations share, in version 2 only. */
  readonly parameters?: ReadonlyMap<string, string>;
}

/** The API groups that one run of the generator, or a set of CustomResourceDefinitions, adds to a server. */
export interface Catalog {
  /** The Kubernetes release of the generated code, as "v1.35". */
  readonly release: string;
  /** Groups in discovery order. In each group, the preferred version comes first. */
  readonly groupVersions: readonly GroupVersionCatalog[];
  /**
   * Loads the types of meta.k8s.io/v1 that every server uses, by kind: Status, DeleteOptions, WatchEvent and others.
   */
  loadMeta(): Promise<Readonly<Record<string, TypeDefinition>>>;
  /** Reports whether bodies of a kind are known that no group-version has. Default: none are. */
  readonly recognizes?: RecognizesKind;
  /** The absolute path of the OpenAPI v2 document. */
  readonly openapiV2?: string;
}

/** The type of a kind of meta.k8s.io/v1. @throws RangeError if a server lacks it */
export function metaType(
  types: Readonly<Record<string, TypeDefinition>>,
  kind: 'Status' | 'DeleteOptions' | 'PartialObjectMetadata',
): TypeDefinition {
  const type = types[kind];
  if (type === undefined) throw new RangeError(`no type ${kind} in meta.k8s.io/v1`);
  return type;
}
