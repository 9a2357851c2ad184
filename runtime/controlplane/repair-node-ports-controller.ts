import { NodePortRange, rangeAllocations } from '../kinds/core/service/node-port-range.ts';
import type { PortRange } from '../kinds/core/service/services-config.ts';
import type { Logger } from '../machinery/logger.ts';
import type { Controller } from '../reconcile/controller.ts';
import { PeriodicController } from '../reconcile/periodic-controller.ts';
import type { ControlPlaneContext } from './context.ts';

/** Milliseconds between checks of all ports. */
const interval = 180_000;
/**
 * The number of checks that find a port without a service before it is released: services are written after their
 * ports.
 */
const numRepairsBeforeLeakCleanup = 3;

/**
 * Allocates missing node ports of services, and releases node ports without a service. The controller has started when
 * the ports have been checked once and are stored. (pkg/registry/core/service/portallocator/controller Repair)
 */
export const repairNodePortsController = (context: ControlPlaneContext, portRange: PortRange): Controller =>
  new PeriodicController({
    context,
    interval,
    failure: 'node ports could not be repaired, which will be retried',
    async open() {
      const { stores, logger } = context;
      if (!stores.serves('', 'v1', 'services')) return undefined;
      const { collection } = await stores.byResource('', 'v1', 'services');
      const range = new NodePortRange(portRange, await stores.internalCollection(rangeAllocations), collection);
      const repair = new NodePortsRepair(range, logger);
      return () => repair.run();
    },
  });

class NodePortsRepair {
  readonly #range: NodePortRange;
  readonly #logger: Logger;
  /** The number of remaining checks for each port without a service. */
  #leaks = new Map<number, number>();

  constructor(range: NodePortRange, logger: Logger) {
    this.#range = range;
    this.#logger = logger;
  }

  async run(): Promise<void> {
    let leaks = this.#leaks;
    await this.#range.update(async (ports) => {
      leaks = new Map();
      return this.#repair(ports, leaks);
    });
    this.#leaks = leaks;
  }

  /** Reads the services after the ports: a service that is written in between already had its port. */
  async #repair(ports: Set<number>, leaks: Map<number, number>): Promise<true | undefined> {
    const logger = this.#logger;
    const owners = await this.#range.portsOfServices();
    let isChanged = false;
    for (const [port, services] of owners) {
      const [service] = services;
      if (service === undefined) continue;
      const { namespace, name } = service;
      if (!this.#range.contains(port)) {
        logger.error({ port, namespace, name }, 'a node port is not within the range; recreate the service');
      } else if (!ports.has(port)) {
        logger.error({ port, namespace, name }, 'the node port of a service was not allocated, which is repaired');
        ports.add(port);
        isChanged = true;
      }
      if (services.length > 1) {
        logger.error({ port, namespace, name }, 'a node port was assigned to multiple services; recreate one of them');
      }
    }
    for (const port of ports) {
      if (owners.has(port)) continue;
      const count = this.#leaks.get(port) ?? numRepairsBeforeLeakCleanup - 1;
      if (count > 0) leaks.set(port, count - 1);
      else {
        logger.warn({ port }, 'a node port without a service is released');
        ports.delete(port);
        isChanged = true;
      }
    }
    return isChanged ? true : undefined;
  }
}
