import type { GroupVersion } from './gvk.ts';
import type { ResourceDefinition, ResourceFacts, TypeDefinition } from './resource.ts';

/** One group-version. Facts are available at once, functions are loaded on first use. */
export interface GroupVersionCatalog extends GroupVersion {
  readonly resources: readonly ResourceFacts[];
  /** Loads the definitions, one for each entry of `resources`, in the same order. The result is kept. */
  load(): Promise<readonly ResourceDefinition[]>;
  /**
   * The absolute path of the OpenAPI v3 document, and the sha512 of its bytes (in upper-case hex, as upstream's hash
   * parameter).
   */
  readonly openapi?: { readonly file: string; readonly hash: string } | undefined;
  /** An OpenAPI v3 document that is not itself served, but whose schemas others may refer to. */
  readonly schemasFile?: string | undefined;
  /** The parts of resources that were added while the server runs. */
  readonly openapiParts?: readonly OpenApiPart[];
}

/** What one resource adds to the OpenAPI documents of its group-version. Built on first use. */
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
  /** Those that operations share, in version 2 only. */
  readonly parameters?: ReadonlyMap<string, string>;
}

/** What one run of the generator, or a set of CustomResourceDefinitions, adds to a server. */
export interface Catalog {
  /** The release that it was generated from, as "v1.35". */
  readonly release: string;
  /** Groups in discovery order. In each group, the preferred version comes first. */
  readonly groupVersions: readonly GroupVersionCatalog[];
  /** The types of meta.k8s.io/v1 that every server uses, by kind: Status, DeleteOptions, WatchEvent and others. */
  loadMeta(): Promise<Readonly<Record<string, TypeDefinition>>>;
  /** The absolute path of the OpenAPI v2 document. */
  readonly openapiV2?: string;
}
