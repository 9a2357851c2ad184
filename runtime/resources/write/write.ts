import type { Admission, Operation, Turn } from '../../machinery/admission.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { FieldManagers } from '../field-managers.ts';
import type {
  Change,
  ChangeContext,
  FinishWrite,
  OpenedView,
  RESTStorage,
  RESTStorageProvider,
  RESTStrategy,
  UpdatePart,
  WriteResult,
  Writer,
  WriteTarget,
} from '../rest.ts';
import { ownTurn } from './key-queue.ts';

/** The store, the time and the turn of a write. */
export interface WritePlace {
  /** The store of the written resource. */
  readonly store: RESTStorage;
  /** The other resources of the server. */
  readonly stores: RESTStorageProvider;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The turn in the queue of the object. Default: a turn that no other write waits for. */
  readonly turn?: Turn;
}

/**
 * One write of one object: the request (`target`), its sender (`writer`), and the state of the current attempt. The
 * write runs the steps in create.ts, update.ts or delete.ts, and runs them again after a conflict. Strategies see it as
 * a WriteContext, changes as a ChangeContext, and admission plugins through WriteAttributes.
 */
export class Write<T extends WriteTarget = WriteTarget, R = WriteResult> implements ChangeContext {
  /** An update of an absent object becomes a CREATE. */
  operation: Operation;
  /** The resource at the version of the request. */
  readonly definition: ResourceDefinition;
  readonly target: T;
  readonly writer: Writer;
  readonly store: RESTStorage;
  readonly stores: RESTStorageProvider;
  readonly now: number;
  readonly turn: Turn;
  readonly warn: (text: string) => void;
  /** The change of the object. Undefined unless the write is an update. */
  change: Change | undefined;
  /** Whether the object is stored without managed fields, because it is too large with them. */
  omitsManagedFields = false;

  /** The stored object that this attempt has found. */
  stored: StoredObject | undefined;
  /** The decoded `stored`. Must not be changed. */
  old: KubeObject | undefined;
  /**
   * The object after the steps so far. While a view is open, the view instead. Undefined before the first step that
   * sets it.
   */
  object!: KubeObject;
  view: OpenedView | undefined;
  /** Ends the strategy's transaction around this attempt. */
  finish: FinishWrite | undefined;
  /** The result of this attempt; `conflict` if another write was faster. The last step sets it. */
  result: R | 'conflict' | undefined;
  #outcomes: ((stored: boolean) => void)[] = [];

  constructor(operation: Operation, definition: ResourceDefinition, target: T, writer: Writer, place: WritePlace) {
    this.operation = operation;
    this.definition = definition;
    this.target = target;
    this.writer = writer;
    this.warn = writer.warn;
    this.store = place.store;
    this.stores = place.stores;
    this.now = place.now;
    this.turn = place.turn ?? ownTurn;
  }

  get strategy(): RESTStrategy {
    return this.store.strategy;
  }

  get namespace(): string {
    return this.target.namespace;
  }

  get name(): string {
    return this.target.name ?? '';
  }

  get requestName(): string | undefined {
    return this.operation === 'CREATE' ? this.target.name : undefined;
  }

  get subresource(): string {
    return this.target.subresource ?? '';
  }

  get part(): UpdatePart {
    return this.operation === 'CREATE' ? 'main' : (this.target.part ?? 'main');
  }

  get before(): KubeObject | undefined {
    return this.view === undefined ? this.old : this.view.old;
  }

  get changed(): ResourceDefinition {
    return this.target.view?.definition ?? this.definition;
  }

  /** The type that admission sees. */
  get type(): TypeDefinition {
    return this.target.type ?? this.changed.type;
  }

  /**
   * Whether an object that is too large may be stored without managed fields. False for an apply, for a view, and
   * without a field manager.
   */
  get mayOmitManagedFields(): boolean {
    return this.writer.fieldManager !== undefined && this.change?.operation !== 'Apply' && this.target.view === undefined;
  }

  get fieldManagers(): FieldManagers {
    return this.store.fieldManagers;
  }

  get user(): UserInfo {
    return this.writer.user;
  }

  get dryRun(): boolean {
    return this.writer.dryRun;
  }

  get fieldManager(): string | undefined {
    return this.writer.fieldManager;
  }

  get internal(): boolean | undefined {
    return this.writer.internal;
  }

  get onlyAsLeader(): boolean | undefined {
    return this.writer.onlyAsLeader;
  }

  /** The plugins that admit the write; undefined if the write needs no admission. */
  get admission(): Admission | undefined {
    return this.writer.isAdmitted ? this.stores.admission : undefined;
  }

  /**
   * Checks leadership right before a write to storage. Here, a process that was paused learns that another one has
   * taken over.
   *
   * @throws Error if the writer requires leadership and this server has lost it
   */
  requireLeadership(): void {
    if (this.writer.onlyAsLeader && this.stores.leadership?.isLeading === false) throw new Error('this server is no longer the leader');
  }

  /** Calls back once, with whether this attempt was stored or may have been stored. */
  onOutcome(callback: (stored: boolean) => void): void {
    this.#outcomes.push(callback);
  }

  reportOutcome(stored: boolean): void {
    if (this.#outcomes.length === 0) return;
    const outcomes = this.#outcomes;
    this.#outcomes = [];
    for (const callback of outcomes) callback(stored);
  }
}
