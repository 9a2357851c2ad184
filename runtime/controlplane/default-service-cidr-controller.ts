import type { ServiceCIDR } from '../../generated/v1.35/networking.k8s.io/v1/types.ts';
import { readyCondition } from '../kinds/networking.k8s.io/service-cidr.ts';
import { hasStatusCode } from '../machinery/errors/status.ts';
import { equalJson } from '../machinery/json/equality.ts';
import { timeText } from '../machinery/scalars/time.ts';
import type { Controller } from '../reconcile/controller.ts';
import { PeriodicController } from '../reconcile/periodic-controller.ts';
import { LoopbackClient } from '../resources/loopback-client.ts';
import { loopbackWriter } from '../resources/loopback-writer.ts';
import type { ControlPlaneContext } from './context.ts';

const controllerName = 'kubernetes-service-cidr-controller';
const resource = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' };
const name = 'kubernetes';
const interval = 10_000;

/**
 * Keeps the ServiceCIDR `kubernetes` with the ranges of the server's options. The start waits until it exists: without
 * it, services get no addresses. (pkg/controlplane/controller/defaultservicecidr)
 *
 * @param cidrs the ranges; the first has the default family
 */
export const defaultServiceCIDRController = (context: ControlPlaneContext, cidrs: readonly string[]): Controller =>
  new PeriodicController({
    context,
    interval,
    failure: 'the default ServiceCIDR could not be synced',
    async open() {
      if (!context.stores.serves(resource.group, resource.version, resource.resource)) return undefined;
      const defaultCIDR = new DefaultServiceCIDR(context, cidrs);
      return () => defaultCIDR.sync();
    },
  });

class DefaultServiceCIDR {
  readonly #context: ControlPlaneContext;
  readonly #cidrs: readonly string[];
  #isMismatchReported = false;

  constructor(context: ControlPlaneContext, cidrs: readonly string[]) {
    this.#context = context;
    this.#cidrs = cidrs;
  }

  async sync(): Promise<void> {
    const { stores, logger } = this.#context;
    const client = await LoopbackClient.open<ServiceCIDR>(stores, resource, loopbackWriter('kube-apiserver'));
    await client.createIfAbsent({ metadata: { name }, spec: { cidrs: [...this.#cidrs] } });
    const current = client.get('', name);
    if (current === undefined) return;
    const cidrs = current.spec?.cidrs ?? [];
    if (this.#cidrs.length === 2 && cidrs.length === 1 && cidrs[0] === this.#cidrs[0]) {
      logger.info({ from: cidrs, to: this.#cidrs }, 'updating the default ServiceCIDR from single-stack to dual-stack');
      await ignoreConflict(client.update({ ...current, spec: { cidrs: [...this.#cidrs] } }));
    } else await this.#syncStatus(client, current);
  }

  /** Sets the condition Ready, unless it is already True or False. */
  async #syncStatus(client: LoopbackClient<ServiceCIDR>, current: ServiceCIDR): Promise<void> {
    const { metadata, spec, status } = current;
    if (metadata.deletionTimestamp) return;
    if (!equalJson(spec?.cidrs, this.#cidrs)) {
      this.#reportMismatch(spec?.cidrs);
      return;
    }
    const ready = status?.conditions?.find(({ type }) => type === readyCondition);
    if (ready !== undefined && ready.status !== 'Unknown') return;
    const condition = {
      type: readyCondition,
      status: 'True',
      message: 'Kubernetes default Service CIDR is ready',
      lastTransitionTime: timeText(this.#context.stores.clock.now()),
    };
    // an apply configuration without a reason
    const config = { metadata: { name }, status: { conditions: [condition] } };
    await ignoreConflict(client.apply(config, controllerName, 'status'));
  }

  #reportMismatch(cidrs: readonly string[] | undefined): void {
    if (this.#isMismatchReported) return;
    this.#isMismatchReported = true;
    const { logger } = this.#context;
    const hint = 'configure the flags to match the current ServiceCIDR or delete it';
    logger.warn({ options: this.#cidrs, cidrs }, `the default ServiceCIDR does not match --service-cluster-ip-range: ${hint}`);
  }
}

/** Ignores a conflict with another write: the next sync reads its result. */
async function ignoreConflict(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!hasStatusCode(error, 404, 409)) throw error;
  }
}
