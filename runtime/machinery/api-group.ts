import type { Catalog } from './catalog.ts';
import type { TableColumn } from './resource.ts';
import type { UserInfo } from './user-info.ts';
import type { FieldError } from './validation/field-error.ts';

/** The write for which a strategy is called. */
export interface StrategyRequest {
  readonly user: UserInfo;
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  /** The name of a subresource, as `status`; "" for the object itself. */
  readonly subresource: string;
  readonly dryRun: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The rules for writes of a resource beyond its schema, from the owner of its group. Objects are at the storage
 * version, in their JSON shape, with defaults. A step may run again if the object changed in the meantime. (apiserver
 * pkg/registry/rest RESTCreateStrategy, RESTUpdateStrategy)
 *
 * A strategy without a type argument is for objects of any kind: its methods only receive objects of the kind that it was
 * written for.
 */
export interface ResourceStrategy<T = object> {
  /**
   * Returns the response to an object of a kind that is not stored, as a review. May return the object itself. Without
   * this method, such a kind cannot be created. Throws a StatusError to refuse the request.
   */
  create?(object: T, request: StrategyRequest): T | Promise<T>;
  /** May change `object` in place before it is validated. Throws a StatusError to reject the write. */
  prepareForCreate?(object: T, request: StrategyRequest): void | Promise<void>;
  /** Like prepareForCreate. `old` is the stored object and must not be changed. */
  prepareForUpdate?(object: T, old: T, request: StrategyRequest): void | Promise<void>;
  /** Returns the errors of the object, on creation and on update. Each becomes a cause of a 422. */
  validate?(object: T, request: StrategyRequest): readonly FieldError[];
  /** Returns the errors of the change from `old` to `object`. */
  validateUpdate?(object: T, old: T, request: StrategyRequest): readonly FieldError[];
  /** Texts for the user, sent as Warning headers. `old` is undefined on creation. */
  warnings?(object: T, old: T | undefined, request: StrategyRequest): readonly string[];
  /** Replaces the columns that the schemas define. */
  readonly table?: readonly TableColumn<T>[];
}

/**
 * Converts objects between one version of a kind, the spoke, and the stored version, the hub. Objects have their JSON
 * shape. In a server-side apply, they can lack members that their schemas require. An exception fails the request.
 * (controller-runtime pkg/conversion Convertible and Hub)
 */
export interface Converter<T, Hub> {
  /**
   * Returns the object with the apiVersion of the hub. May change and return its argument. Within metadata, only labels
   * and annotations may change.
   */
  toStorage(object: T): Hub;
  /** Converts in the opposite direction. */
  fromStorage(object: Hub): T;
}

/** A converter for objects of any kind. Its methods only receive objects of the versions that it was written for. */
export type AnyConverter = Converter<object, object>;

/** Adds API groups, with the strategies of their resources, to a server. */
export interface ApiGroup {
  readonly catalog: Catalog;
  /** The strategies by resource, as `books.library.example.com`. */
  readonly strategies: Readonly<Record<string, ResourceStrategy>>;
  /**
   * The converters by resource, as `books.library.example.com`, and by version. Only for versions whose schema differs
   * from the stored one.
   */
  readonly conversions?: Readonly<Record<string, Readonly<Record<string, AnyConverter>>>>;
  /**
   * The URL of a module whose default export is this group, or contains it. Worker threads, which run large requests,
   * load the module too. Without it, all requests for these groups stay on the event loop, however large.
   */
  readonly module?: string;
}
