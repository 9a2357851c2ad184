import type { Catalog } from './catalog.ts';
import type { TableCell, TableColumn } from './resource.ts';
import type { UserInfo } from './user-info.ts';
import type { FieldError } from './validation/field-error.ts';

/** The write that a strategy is asked about. */
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

/** A column of `kubectl get` that reads its cells off objects of one kind. */
export interface StrategyColumn<T> extends Omit<TableColumn, 'cell'> {
  /** `now` is in milliseconds, for ages. */
  cell(object: T, now: number): TableCell;
}

/**
 * Where whoever owns a group decides what writing one of its resources means, beyond what the schemas say. Objects are
 * at the storage version, in their JSON shape, with defaults filled in. Steps may run again when the object changed
 * meanwhile. (apiserver pkg/registry/rest RESTCreateStrategy, RESTUpdateStrategy)
 */
export interface ResourceStrategy<T> {
  /** May change `object` in place, before it is validated. Throws a StatusError to refuse. */
  prepareForCreate?(object: T, request: StrategyRequest): void | Promise<void>;
  /** As prepareForCreate; `old` is what is stored and must be left as it is. */
  prepareForUpdate?(object: T, old: T, request: StrategyRequest): void | Promise<void>;
  /** What is wrong with the object, on creation and on update; [] for nothing. Each is a cause of a 422. */
  validate?(object: T, request: StrategyRequest): readonly FieldError[];
  /** What may not change from `old` to `object`. */
  validateUpdate?(object: T, old: T, request: StrategyRequest): readonly FieldError[];
  /** Texts for the client's user, sent as Warning headers. `old` is undefined on creation. */
  warnings?(object: T, old: T | undefined, request: StrategyRequest): readonly string[];
  /** In place of the columns that the schemas say. */
  readonly table?: readonly StrategyColumn<T>[];
}

/** A strategy for objects of any kind. Its methods are only called with objects of the kind it was written for. */
export type AnyStrategy = ResourceStrategy<object>;

/** What plugs into a server: API groups, and how their resources differ. */
export interface ApiGroup {
  readonly catalog: Catalog;
  /** By resource, as `books.library.example.com`. */
  readonly strategies: Readonly<Record<string, AnyStrategy>>;
  /**
   * URL of the module whose default export this is, or holds: worker threads, which run large requests, load it too.
   * Default: requests for these groups never leave the event loop, however large they are.
   */
  readonly module?: string;
}
