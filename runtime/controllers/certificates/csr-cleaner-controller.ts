import { X509Certificate } from 'node:crypto';
import type { CertificateSigningRequest } from '../../../generated/v1.35/certificates.k8s.io/v1/types.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { ControllerContext } from '../controller-context.ts';
import { hasTrueCondition, requests } from './certificate-controller.ts';

const hour = 60 * 60_000;
const pollingInterval = hour;
/** How long requests are kept after approval, denial or failure, and how long without any decision, in milliseconds. */
const decidedExpiration = hour;
const pendingExpiration = 24 * hour;

/** Deletes old certificate requests. (pkg/controller/certificates/cleaner) */
export function csrCleanerController(context: ControllerContext): Controller {
  return new CSRCleanerController(context);
}

class CSRCleanerController implements Controller {
  readonly #stores: ResourceStores;
  readonly #logger: Logger;
  readonly #writer = writerOfController('certificate-controller');
  #cancel: () => void = () => undefined;
  #closed = false;
  #cleaning: Promise<void> = Promise.resolve();

  constructor({ stores, logger }: ControllerContext) {
    this.#stores = stores;
    this.#logger = logger;
  }

  async start(): Promise<void> {
    const { group, version, resource } = requests;
    if (this.#stores.serves(group, version, resource)) this.#clean();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#cleaning;
  }

  #clean(): void {
    this.#cleaning = this.#cleanAll()
      .catch((err: unknown) => this.#logger.error({ err }, 'certificate requests could not be cleaned up'))
      .then(() => {
        if (!this.#closed) this.#cancel = this.#stores.clock.after(pollingInterval, () => this.#clean());
      });
  }

  async #cleanAll(): Promise<void> {
    const { group, version, resource } = requests;
    const store = await this.#stores.byResource(group, version, resource);
    for (const stored of store.collection.latest().scan()) {
      if (this.#closed) return;
      const request = stored.decode() as CertificateSigningRequest;
      if (!isOutdated(request, this.#stores.clock.now())) continue;
      await store
        .delete(store.definition, { namespace: '', name: stored.name, preconditions: { uid: stored.uid } }, this.#writer)
        .catch((err: unknown) => this.#logger.warn({ err, name: stored.name }, 'unable to delete CSR'));
      await yieldToEventLoop();
    }
  }
}

/** Reports whether a request was decided long ago, was never decided, or has an expired certificate. */
export function isOutdated(request: CertificateSigningRequest, now: number): boolean {
  const { conditions = [], certificate } = request.status ?? {};
  const isOlder = (time: string | undefined, age: number): boolean => time !== undefined && Date.parse(time) < now - age;
  const isDecided = (type: string): boolean => {
    return conditions.some((one) => one.type === type && isOlder(one.lastUpdateTime ?? undefined, decidedExpiration));
  };
  if (conditions.length === 0) return isOlder(request.metadata.creationTimestamp ?? undefined, pendingExpiration);
  if (isDecided('Denied') || isDecided('Failed')) return true;
  if (!certificate || !hasTrueCondition(request, 'Approved')) return false;
  return isDecided('Approved') || hasExpired(certificate, now);
}

function hasExpired(certificate: string, now: number): boolean {
  try {
    return Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo) < now;
  } catch {
    return false;
  }
}
