import type { Catalog } from './catalog.ts';
import type { TableColumn } from './resource.ts';
import type { UserInfo } from './user-info.ts';
import type { FieldError } from './validation/field-error.ts';

/** The write that a strategy is called for. */
export interface StrategyRequest {
  readonly user: UserInfo;
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  /** As `status`; "" for the object itself. */
  readonly subresource: string;
  readonly dryRun: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A column of `kubectl get` for objects of one kind. */
export type StrategyColumn<T> = TableColumn<T>;

/**
 * What writing a resource means beyond its schema, decided by the owner of its group. Objects are at the storage
 * version, in their JSON shape, with defaults filled in. A step may run again if the object changed in the meantime.
 * (apiserver pkg/registry/rest RESTCreateStrategy, RESTUpdateStrategy)
 */
export interface ResourceStrategy<T> {
  /**
   * Makes the response to an object of a kind that is not stored, as a review; it may be the object itself. Without it, such
   * a kind cannot be created. Throws a StatusError to refuse the request.
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
  readonly table?: readonly StrategyColumn<T>[];
}

/**
 * Converts the objects of one version of a kind, a spoke, to the stored version, the hub, and back. Objects have their JSON
 * shape. They can lack members that their schemas require, in a server-side apply. An exception fails the request.
 * (controller-runtime pkg/conversion Convertible and Hub)
 */
export interface Converter<T, Hub> {
  /** May change and return its argument. apiVersion is the hub's afterwards; of metadata, only labels and annotations may change. */
  toStorage(object: T): Hub;
  /** The other way round. */
  fromStorage(object: Hub): T;
}

/** A converter for objects of any kind. Its methods are only called with objects of the versions it was written for. */
export type AnyConverter = Converter<object, object>;

/** A strategy for objects of any kind. Its methods are only called with objects of the kind it was written for. */
export type AnyStrategy = ResourceStrategy<object>;

/** Extends a server with API groups and the strategies of their resources. */
export interface ApiGroup {
  readonly catalog: Catalog;
  /** By resource, as `books.library.example.com`. */
  readonly strategies: Readonly<Record<string, AnyStrategy>>;
  /** By resource, as strategies, and by version: for versions whose schema differs from the stored one. */
  readonly conversions?: Readonly<Record<string, Readonly<Record<string, AnyConverter>>>>;
  /**
   * URL of the module whose default export is this group, or contains it. Worker threads, which run large requests,
   * load it too. Without it, requests for these groups stay on the event loop, however large they are.
   */
  readonly module?: string;
}
