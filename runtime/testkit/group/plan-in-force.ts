import type { FaultPlan } from '../../../generated/testing/testing.kubeloom.dev/v1alpha1/types.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { testGroupName } from '../../options/test-group-name.ts';
import { loopbackWriter } from '../../resources/loopback-writer.ts';
import type { RESTStorage, RESTStorageProvider } from '../../resources/rest.ts';
import { isStorageError } from '../../storage/errors.ts';
import type { FaultPlanHandle } from '../faults/faults.ts';
import { faultPlanSpec, faultPlanStatus } from './fault-plan-status.ts';
import type { TestControls } from './test-controls.ts';

const writer = loopbackWriter();

/** The server's plan for one FaultPlan. It writes its counts to the FaultPlan's status. */
export class PlanInForce {
  readonly #name: string;
  readonly #uid: string;
  /** The generation of the plan's spec. */
  readonly #generation: number | undefined;
  readonly #plan: FaultPlanHandle;
  readonly #store: RESTStorage;
  readonly #now: () => number;
  /** The status differs from the last write, or from the one under way. */
  #isStale = false;
  #isWriting = false;

  private constructor({ metadata }: FaultPlan, plan: FaultPlanHandle, store: RESTStorage, now: () => number) {
    const { name = '', uid = '', generation } = metadata;
    this.#name = name;
    this.#uid = uid;
    this.#generation = generation;
    this.#plan = plan;
    this.#store = store;
    this.#now = now;
    plan.onChange(() => this.publish());
  }

  static async begin(object: FaultPlan, { faults, clock }: TestControls, stores: RESTStorageProvider): Promise<PlanInForce> {
    const store = await stores.byResource(testGroupName, 'v1alpha1', 'faultplans');
    return new PlanInForce(object, await faults.add(faultPlanSpec(object.spec)), store, () => clock.now());
  }

  end(): void {
    this.#plan.remove();
  }

  /** Writes the status. Changes during a write are in the next one. */
  publish(): void {
    this.#isStale = true;
    if (!this.#isWriting) void this.#write();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#writeStatus();
      }
    } catch (error) {
      // the object or the server is gone
      if (!isStatusError(error) && !isStorageError(error)) throw error;
    } finally {
      this.#isWriting = false;
    }
  }

  async #writeStatus(): Promise<void> {
    const { definition } = this.#store;
    const request = {
      namespace: '',
      name: this.#name,
      preconditionUid: this.#uid,
      part: 'status' as const,
      subresource: 'status',
      requireVersion: false,
      change: (current: object | undefined) => {
        const plan = current as FaultPlan;
        // a newer plan is about to be in force
        if (plan.metadata.generation !== this.#generation) return plan;
        return { ...plan, status: faultPlanStatus(plan, this.#plan, this.#now()) };
      },
    };
    await this.#store.update(definition, request, writer);
  }
}
