import type { CertificateSigningRequest } from '../../../generated/v1.35/certificates.k8s.io/v1/types.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { enqueueNames } from '../../reconcile/enqueue-names.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection } from '../../storage/object-store/contract.ts';
import type { ControllerContext } from '../controller-context.ts';

export const requests = {
  group: 'certificates.k8s.io',
  version: 'v1',
  resource: 'certificatesigningrequests',
} as const;

/** Returns the request with a new status, or undefined if nothing is to do. */
export type RequestHandler = (request: CertificateSigningRequest) => StatusChange | undefined | Promise<StatusChange | undefined>;

export interface StatusChange {
  readonly subresource: 'status' | 'approval';
  readonly status: NonNullable<CertificateSigningRequest['status']>;
}

/** Handles each certificate request that is created or changed. (pkg/controller/certificates) */
export class CertificateController implements Controller {
  readonly #stores: ResourceStores;
  readonly #handle: RequestHandler;
  readonly #writer: Writer = writerOfController('certificate-controller');
  readonly #queue: WorkQueue<string>;
  #collection: Collection | undefined;
  #stop: (() => void) | undefined;
  #closed = false;

  constructor({ stores, logger }: ControllerContext, name: string, handle: RequestHandler) {
    this.#stores = stores;
    this.#handle = handle;
    this.#queue = new WorkQueue({
      clock: stores.clock,
      concurrency: 5,
      keyOf: (request) => request,
      work: (request) => this.#sync(request),
      report: (err) => logger.error({ err, controller: name }, 'a certificate request failed, which will be retried'),
    });
  }

  async start(): Promise<void> {
    const { group, version, resource } = requests;
    if (!this.#stores.serves(group, version, resource)) return;
    const { collection } = await this.#stores.byResource(group, version, resource);
    if (this.#closed) return;
    this.#collection = collection;
    this.#stop = enqueueNames(collection, this.#queue);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop?.();
    await this.#queue.close();
  }

  async #sync(name: string): Promise<SyncResult> {
    const stored = this.#collection?.latest().get('', name);
    if (stored === undefined) return 'done';
    const request = stored.decode() as CertificateSigningRequest;
    // the request already has its certificate
    if (request.status?.certificate) return 'done';
    const change = await this.#handle(request);
    if (change === undefined) return 'done';
    try {
      await this.#write(request, change);
      return 'done';
    } catch (error) {
      // the request was deleted or changed meanwhile: an event will follow
      if (hasStatusCode(error, 404, 409)) return 'done';
      throw error;
    }
  }

  async #write(request: CertificateSigningRequest, { subresource, status }: StatusChange): Promise<void> {
    const { group, version, resource } = requests;
    const store = await this.#stores.byResource(group, version, resource);
    const changed: KubeObject & CertificateSigningRequest = { ...request, status };
    await store.update(
      store.definition,
      {
        namespace: '',
        name: request.metadata.name ?? '',
        part: subresource === 'status' ? 'status' : 'all',
        subresource,
        requireVersion: false,
        // with the handled resourceVersion
        change: () => changed,
      },
      this.#writer,
    );
  }
}

export const hasTrueCondition = ({ status }: CertificateSigningRequest, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && (condition.status || 'True') === 'True') ?? false;

/** Reports whether a request is approved and not denied. (IsCertificateRequestApproved) */
export const isApproved = ({ status }: CertificateSigningRequest): boolean => {
  const has = (type: string): boolean => status?.conditions?.some((condition) => condition.type === type) ?? false;
  return has('Approved') && !has('Denied');
};
