import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { withoutSlices } from '../../runtime/machinery/event-loop/yield.ts';
import { shellProgram } from '../../runtime/simulation/programs/container-runs.ts';
import { SimulatedKubelets } from '../../runtime/simulation/simulated-kubelets.ts';
import { clientPod, containerPod, SimulatedContainers } from './simulated-containers.ts';
import { SimulatedCluster } from './simulation.ts';

export const agnhost = (...args: string[]) => ({ image: 'registry.k8s.io/e2e-test-images/agnhost:2.56', args });

/** A cluster with simulated kubelets for each test, in which programs run, answer and are probed. */
export class ProgramCluster {
  #cluster: SimulatedCluster | undefined;

  static forSuite(): ProgramCluster {
    const suite = new ProgramCluster();
    let divideAgain: () => void;
    // Programs are loaded before time counts. Work is not divided by time, which would let the clock pass while a program runs.
    beforeAll(async () => {
      const web = containerPod('web', '10.128.0.2', agnhost('netexec'));
      await new SimulatedContainers(clientPod(), web).sh('wget -q -O /dev/null 10.128.0.2:8080');
      await shellProgram();
      await import('../../runtime/simulation/programs/command-run.ts');
      await import('../../runtime/simulation/programs/servers/table.ts');
      await import('../../runtime/simulation/pods/probes/run-probe.ts');
      await import('../../runtime/simulation/pods/hooks.ts');
      await import('../../runtime/simulation/network/network-of.ts');
      divideAgain = withoutSlices();
    });
    afterAll(() => divideAgain());
    beforeEach(async () => {
      suite.#cluster = await SimulatedCluster.open((context) => [new SimulatedKubelets(context, {})]);
      await (await suite.cluster.stores.of('namespaces')).create({ metadata: { name: 'kube-node-lease' } });
    });
    afterEach(() => suite.cluster.close());
    return suite;
  }

  get cluster(): SimulatedCluster {
    if (this.#cluster === undefined) throw new Error('no test runs');
    return this.#cluster;
  }

  /** Lets programs, which take turns of the event loop, do what they do at once. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 40; turn++) await this.cluster.settle();
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.cluster.clock.advance(1000);
      await this.settle();
    }
  }
}
