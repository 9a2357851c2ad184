import type { GroupVersion } from './gvk.ts';
import type { ResourceDefinition, ResourceFacts, TypeDefinition } from './resource.ts';

/** One group-version: cheap facts at once, functions when first asked for. */
export interface GroupVersionCatalog extends GroupVersion {
  readonly resources: readonly ResourceFacts[];
  /** Loads the definitions, one for each entry of `resources` and in its order. The result is kept. */
  load(): Promise<readonly ResourceDefinition[]>;
  /** Path of the OpenAPI v3 document, absolute, and the sha512 (upper-case hex, as upstream's hash parameter) of its bytes. */
  readonly openapi?: { readonly file: string; readonly hash: string };
  /** An OpenAPI v3 document that is not served as it is, whose schemas others may refer to. */
  readonly schemasFile?: string;
  /** What resources that came while the server runs add to it. */
  readonly openapiParts?: readonly OpenApiPart[];
}

/** What one resource adds to the OpenAPI documents of its group-version. Made when it is first read. */
export interface OpenApiPart {
  /** Differs whenever the part does. */
  readonly state: string;
  v3(): Promise<OpenApiMembers>;
  v2(): Promise<OpenApiMembers>;
}

/** JSON by name: what stands below `paths`, and below `components.schemas` or `definitions`. */
export interface OpenApiMembers {
  readonly paths: ReadonlyMap<string, string>;
  readonly schemas: ReadonlyMap<string, string>;
}

/** What one run of the generator, or one set of CustomResourceDefinitions, brings to a server. */
export interface Catalog {
  /** As "v1.35": what it was generated from. */
  readonly release: string;
  /** Groups in discovery order; within a group the preferred version first. */
  readonly groupVersions: readonly GroupVersionCatalog[];
  /** Types of meta.k8s.io/v1 that every server speaks: Status, DeleteOptions, WatchEvent, ... by kind. */
  loadMeta(): Promise<Readonly<Record<string, TypeDefinition>>>;
  /** Path of the OpenAPI v2 document, absolute. */
  readonly openapiV2?: string;
}
