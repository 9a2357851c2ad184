import type { Secret } from '../../../generated/v1.35/core/v1/types.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { Writer } from '../../resources/rest.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { ControllerContext } from '../controller-context.ts';

const secretType = 'kubernetes.io/service-account-token';
const nameAnnotation = 'kubernetes.io/service-account.name';
const uidAnnotation = 'kubernetes.io/service-account.uid';

type TokenSecret = KubeObject & Secret;

/**
 * Fills Secrets of type kubernetes.io/service-account-token with a token, the CA and the namespace, and deletes Secrets
 * of deleted service accounts. (kubernetes pkg/controller/serviceaccount/tokens_controller.go)
 */
export class TokensController implements Controller {
  readonly #context: ControllerContext;
  readonly #writer: Writer = writerOfController('tokens-controller');
  readonly #queue: WorkQueue<ObjectKey>;
  readonly #stops: (() => void)[] = [];
  #secrets: ResourceStore | undefined;
  #accounts: ResourceStore | undefined;
  #closed = false;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new WorkQueue({
      clock: context.stores.clock,
      concurrency: 5,
      keyOf: ({ namespace, name }) => `${namespace}/${name}`,
      work: (key) => this.#sync(key),
      report: (err) => context.logger.error({ err }, 'a token of a service account could not be made: will be retried'),
    });
  }

  async start(): Promise<void> {
    const { stores } = this.#context;
    if (!stores.serves('', 'v1', 'secrets') || !stores.serves('', 'v1', 'serviceaccounts')) return;
    const [secrets, accounts] = await Promise.all([stores.byResource('', 'v1', 'secrets'), stores.byResource('', 'v1', 'serviceaccounts')]);
    if (this.#closed) return;
    this.#secrets = secrets;
    this.#accounts = accounts;
    const snapshot = secrets.collection.latest();
    for (const secret of snapshot.scan()) this.#enqueue(secret);
    const after = snapshot.revision;
    this.#stops.push(
      secrets.collection.watch({
        after,
        onEvent: ({ type, object }) => {
          if (type !== 'DELETED') this.#enqueue(object);
        },
      }),
      accounts.collection.watch({ after, onEvent: ({ object }) => this.#enqueueNamespace(object.namespace) }),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops) stop();
    await this.#queue.close();
  }

  #enqueue({ namespace, name, fields }: StoredObject): void {
    if (fields.type === secretType) this.#queue.add({ namespace, name });
  }

  /** Queues the secrets of a namespace, after a service account was created or deleted. */
  #enqueueNamespace(namespace: string): void {
    for (const secret of this.#secrets?.collection.latest().scan({ namespace }) ?? []) this.#enqueue(secret);
  }

  async #sync({ namespace, name }: ObjectKey): Promise<SyncResult> {
    const stored = this.#secrets?.collection.latest().get(namespace, name);
    if (stored === undefined || stored.fields.type !== secretType) return 'done';
    const secret = stored.decode() as TokenSecret;
    if (secret.metadata.deletionTimestamp) return 'done';
    try {
      const account = this.#accountOf(secret, namespace);
      if (account === undefined) await this.#delete(stored);
      else await this.#fill({ namespace, name }, secret, account);
      return 'done';
    } catch (error) {
      // another write was faster: an event will follow
      if (hasStatusCode(error, 403, 404, 409)) return 'done';
      throw error;
    }
  }

  #accountOf({ metadata }: TokenSecret, namespace: string): StoredObject | undefined {
    const { [nameAnnotation]: name = '', [uidAnnotation]: uid = '' } = metadata.annotations ?? {};
    const account = this.#accounts?.collection.latest().get(namespace, name);
    return uid === '' || account?.uid === uid ? account : undefined;
  }

  async #delete({ namespace, name, uid }: StoredObject): Promise<void> {
    const secrets = this.#secrets as ResourceStore;
    await secrets.delete(secrets.definition, { namespace, name, preconditions: { uid } }, this.#writer);
  }

  async #fill({ namespace, name }: ObjectKey, { data = {} }: TokenSecret, account: StoredObject): Promise<void> {
    const { rootCertificates, issueLegacyToken } = this.#context;
    const certificates = Buffer.from(rootCertificates).toString('base64');
    const isComplete = data.token && data.namespace && data['ca.crt'] === certificates;
    if (isComplete) return;
    const token = data.token || Buffer.from(await issueLegacyToken(account, name)).toString('base64');
    const secrets = this.#secrets as ResourceStore;
    await secrets.update(
      secrets.definition,
      {
        namespace,
        name,
        part: 'main',
        requireVersion: false,
        change(current) {
          const secret = current as TokenSecret;
          const { annotations } = secret.metadata;
          secret.metadata.annotations = {
            ...annotations,
            [nameAnnotation]: account.name,
            [uidAnnotation]: account.uid,
          };
          const namespaceData = secret.data?.namespace || Buffer.from(namespace).toString('base64');
          secret.data = {
            ...secret.data,
            'ca.crt': certificates,
            namespace: namespaceData,
            token: secret.data?.token || token,
          };
          return secret;
        },
      },
      this.#writer,
    );
  }
}
