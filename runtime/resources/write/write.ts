import type { Admission, Operation, Turn } from '../../machinery/admission.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { FieldManagers } from '../field-managers.ts';
import type { GenericStore } from '../generic-store.ts';
import type {
  Change,
  ChangeContext,
  FinishWrite,
  OpenedView,
  RESTStrategy,
  StorageProvider,
  UpdatePart,
  WriteResult,
  Writer,
  WriteTarget,
} from '../rest.ts';
import { ownTurn } from './key-queue.ts';

/** Where a write happens. */
export interface WritePlace {
  /** The store of its resource. */
  readonly store: GenericStore;
  /** The other resources of the server. */
  readonly stores: StorageProvider;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Default: nobody waits for the write. */
  readonly turn?: Turn;
}

/**
 * One write of one object: what is asked (`target`), who asks (`writer`), and how far it has come. It walks through the steps in
 * create.ts, update.ts or delete.ts, and an attempt that fails for a conflict walks again. Strategies see it as a WriteContext,
 * changes as a ChangeContext, and admission plugins through Attributes.
 */
export class Write<T extends WriteTarget = WriteTarget, R = WriteResult> implements ChangeContext {
  /** An update becomes a creation if there is no object. */
  operation: Operation;
  /** The resource at the version of the request. */
  readonly definition: ResourceDefinition;
  readonly target: T;
  readonly writer: Writer;
  readonly store: GenericStore;
  readonly stores: StorageProvider;
  readonly now: number;
  readonly turn: Turn;
  readonly warn: (text: string) => void;
  /** How the object changes. Undefined unless the write is an update. */
  change: Change | undefined;
  /** The object is stored without managed fields, with which it is too large. */
  omitsManagedFields = false;

  /** The object as this attempt has found it in storage. */
  stored: StoredObject | undefined;
  /** What `stored` decodes to. Must not be changed. */
  old: KubeObject | undefined;
  /** The object as the steps so far have made it, or its view while it changes. Undefined before the first step has. */
  object!: KubeObject;
  view: OpenedView | undefined;
  /** Ends the transaction around this attempt. */
  finish: FinishWrite | undefined;
  /** What came of this attempt; `conflict` if another write was faster. Set by the last step that is needed. */
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

  /** Whether an object that is too large may be stored without managed fields: not by an apply, which is about nothing else. */
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

  /** The plugins that admit the write; undefined if nobody has to. */
  get admission(): Admission | undefined {
    return this.writer.isAdmitted ? this.stores.admission : undefined;
  }

  /**
   * Called right before something is stored. A process that was paused finds out here that another one has taken over.
   *
   * @throws Error if the writer has to lead, and this server does not any more
   */
  requireLeadership(): void {
    if (this.writer.onlyAsLeader && this.stores.leadership?.isLeading === false) throw new Error('this server is no longer the leader');
  }

  /** Calls back once with whether this attempt was stored, or may have been. */
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
