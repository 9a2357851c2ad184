import type { WriteOptions } from '../http/options/write-options.ts';
import { type Query, queryValue } from '../http/query-string.ts';
import { type RequestState, requireUser } from '../http/request-state.ts';
import type { Operation } from '../machinery/admission.ts';
import type { DeleteOptions } from '../machinery/delete-options.ts';
import { type JsonObject, unstructuredContent } from '../machinery/object.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { managerOrUserAgent } from '../patch/managed-fields/manager-or-user-agent.ts';
import type { Writer } from '../resources/rest.ts';
import { isWrite } from './offload.ts';
import type { ResourceRequest } from './resource-request.ts';

/** The client of a request, as a writer. Warnings go to the response, and annotations to the audit event. */
export class ClientWriter implements Writer {
  readonly isAdmitted = true;
  readonly dryRun: boolean;
  readonly fieldManager: string | undefined;
  readonly warn: (text: string) => void;
  readonly #request: ResourceRequest;
  readonly #state: RequestState;
  readonly #deleteOptions: DeleteOptions | undefined;

  /** Without a field manager: for requests that change no managed fields, such as connections. */
  constructor(request: ResourceRequest, dryRun: boolean, { fieldManager, deleteOptions }: ClientWriterOptions = {}) {
    const { state } = request.ctx;
    this.dryRun = dryRun;
    this.fieldManager = fieldManager;
    this.warn = (text) => state.addWarnings(text);
    this.#request = request;
    this.#state = state;
    this.#deleteOptions = deleteOptions;
  }

  /** Returns a writer that manages the fields it writes. */
  static manager(request: ResourceRequest, { dryRun, fieldManager }: WriteOptions): ClientWriter {
    return new ClientWriter(request, dryRun, { fieldManager: managerOrUserAgent(fieldManager, request.ctx.req.headers['user-agent']) });
  }

  static deleter(request: ResourceRequest, deleteOptions: DeleteOptions): ClientWriter {
    return new ClientWriter(request, (deleteOptions.dryRun ?? []).length > 0, { deleteOptions });
  }

  get user(): UserInfo {
    return requireUser(this.#state);
  }

  get deadline(): number | undefined {
    return this.#state.deadline;
  }

  get canMoveToWorker(): boolean {
    return isWrite(this.#request);
  }

  options(operation: Operation): JsonObject | undefined {
    if (operation !== 'DELETE') return writeOptions(this.#state.query);
    return this.#deleteOptions && unstructuredContent(this.#deleteOptions);
  }

  addAnnotation(key: string, value: string, level?: 'Request'): void {
    const { audit } = this.#state;
    if (level === undefined || audit?.logsRequest) audit?.addAnnotation(key, value);
  }
}

interface ClientWriterOptions {
  readonly fieldManager?: string;
  /** The options of a DELETE, from its body or query. Default: none. */
  readonly deleteOptions?: DeleteOptions;
}

/** Returns the fields of CreateOptions or UpdateOptions that a query sets. */
function writeOptions(query: Query): JsonObject {
  const dryRun = query.get('dryRun');
  const fieldManager = queryValue(query, 'fieldManager');
  const fieldValidation = queryValue(query, 'fieldValidation');
  return {
    ...(dryRun === undefined ? {} : { dryRun: [...dryRun] }),
    ...(fieldManager ? { fieldManager } : {}),
    ...(fieldValidation ? { fieldValidation } : {}),
  };
}
