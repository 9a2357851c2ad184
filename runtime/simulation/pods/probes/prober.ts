import type { Container, ContainerStatus, Pod, Probe } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../../machinery/clock.ts';
import type { RunOf } from '../../programs/container-run.ts';
import type { PodEvent } from '../container-events.ts';
import type { ProbeResult } from './run-probe.ts';

type ProbeKind = 'startup' | 'liveness' | 'readiness';

const fields = { startup: 'startupProbe', liveness: 'livenessProbe', readiness: 'readinessProbe' } as const;
const titles: Readonly<Record<ProbeKind, string>> = { startup: 'Startup', liveness: 'Liveness', readiness: 'Readiness' };

/** How often a probe that has no result is tried again at once. (maxProbeRetries) */
const maxTries = 3;
const defaultPeriod = 10;
const defaultFailures = 3;

/** What the probes of a running container say. */
export interface ProbeState {
  readonly isStarted: boolean;
  readonly isReady: boolean;
  /** The probe whose failure ends the container. */
  readonly failed: 'startup' | 'liveness' | undefined;
}

export interface ProberOptions {
  readonly clock: Clock;
  /** Runs a probe once. */
  run(probe: Probe, of: RunOf): Promise<ProbeResult>;
  /** Called when a result of a pod has changed. */
  onChange(pod: Pod): void;
  /** Records an event about a container. */
  recordEvent(pod: Pod, container: Container, event: Omit<PodEvent, 'fieldPath'>): void;
}

/** The probe of one kind of a running container. (pkg/kubelet/prober worker) */
class Worker {
  readonly probe: Probe;
  /** Undefined before the first result. */
  result: boolean | undefined;
  /** The last results in a row that were the same. */
  last: { readonly isSuccess: boolean; readonly count: number } | undefined;
  isOnHold = false;
  isRunning = false;
  cancel: (() => void) | undefined;

  constructor(probe: Probe, result: boolean | undefined) {
    this.probe = probe;
    this.result = result;
  }
}

interface Probed {
  of: RunOf;
  readonly workers: ReadonlyMap<ProbeKind, Worker>;
  isStarted: boolean;
  isClosed: boolean;
}

/** Probes the containers of simulated pods. Containers without probes take nothing. */
export class Prober {
  readonly #options: ProberOptions;
  readonly #since: number;
  /** By uid of the pod, then by container. */
  readonly #pods = new Map<string, Map<string, Probed>>();

  constructor(options: ProberOptions) {
    this.#options = options;
    this.#since = options.clock.now();
  }

  /** Returns what the probes of a container say, and begins to probe it. Undefined without probes. */
  stateOf(of: RunOf, status: ContainerStatus): ProbeState | undefined {
    const { pod, container } = of;
    if (!container.startupProbe && !container.livenessProbe && !container.readinessProbe) return undefined;
    const uid = pod.metadata.uid ?? '';
    const byName = this.#pods.get(uid) ?? new Map<string, Probed>();
    this.#pods.set(uid, byName);
    let probed = byName.get(container.name);
    if (probed?.of.id !== of.id) {
      if (probed !== undefined) close(probed);
      probed = this.#begin(of, status);
      byName.set(container.name, probed);
    }
    probed.of = of;
    const { workers } = probed;
    const isStarted = workers.get('startup')?.result ?? !workers.has('startup');
    if (isStarted && !probed.isStarted) {
      probed.isStarted = true;
      this.#schedule(probed, 'liveness');
      this.#schedule(probed, 'readiness');
    }
    const failed = (['liveness', 'startup'] as const).find((kind) => workers.get(kind)?.result === false);
    return { isStarted, isReady: isStarted && (workers.get('readiness')?.result ?? !workers.has('readiness')), failed };
  }

  /** Ends the probes of a container, or of a pod. */
  forget(uid: string, container?: string): void {
    const byName = this.#pods.get(uid);
    for (const [name, probed] of byName ?? []) {
      if (container !== undefined && name !== container) continue;
      close(probed);
      byName?.delete(name);
    }
    if (byName?.size === 0) this.#pods.delete(uid);
  }

  close(): void {
    for (const uid of [...this.#pods.keys()]) this.forget(uid);
  }

  #begin(of: RunOf, status: ContainerStatus): Probed {
    const { container, startedAt } = of;
    // the results of a container that ran before the kubelet are kept
    const isKept = startedAt < this.#since;
    const initial: Readonly<Record<ProbeKind, boolean | undefined>> = {
      startup: isKept && status.started ? true : undefined,
      liveness: undefined,
      readiness: isKept && status.ready ? true : undefined,
    };
    const workers = new Map<ProbeKind, Worker>();
    for (const kind of ['startup', 'liveness', 'readiness'] as const) {
      const probe = container[fields[kind]];
      if (probe) workers.set(kind, new Worker(probe, initial[kind]));
    }
    const probed: Probed = { of, workers, isStarted: false, isClosed: false };
    if (initial.startup === undefined) this.#schedule(probed, 'startup');
    return probed;
  }

  /** Probes as soon as the initial delay is over. */
  #schedule(probed: Probed, kind: ProbeKind): void {
    const worker = probed.workers.get(kind);
    if (worker === undefined) return;
    const { clock } = this.#options;
    const at = probed.of.startedAt + 1000 * (worker.probe.initialDelaySeconds ?? 0);
    if (at <= clock.now()) void this.#tick(probed, kind, worker);
    else this.#at(at, probed, kind, worker);
  }

  #at(at: number, probed: Probed, kind: ProbeKind, worker: Worker): void {
    const { clock } = this.#options;
    worker.cancel = clock.after(Math.max(0, at - clock.now()), () => void this.#tick(probed, kind, worker));
  }

  async #tick(probed: Probed, kind: ProbeKind, worker: Worker): Promise<void> {
    const { clock, onChange } = this.#options;
    worker.cancel = undefined;
    // what ends with its pod is no longer restarted
    const hasPodEnded = probed.of.pod.metadata.deletionTimestamp !== undefined && kind !== 'readiness';
    if (probed.isClosed || worker.isOnHold || worker.isRunning || hasPodEnded) return;
    const begun = clock.now();
    worker.isRunning = true;
    const isSuccess = await this.#run(probed, kind, worker.probe);
    worker.isRunning = false;
    if (probed.isClosed) return;
    if (isSuccess !== undefined && this.#note(worker, kind, isSuccess)) onChange(probed.of.pod);
    const period = 1000 * (worker.probe.periodSeconds ?? defaultPeriod);
    if (!worker.isOnHold) this.#at(Math.max(begun + period, clock.now()), probed, kind, worker);
  }

  /** Counts a result. Returns whether it changes what the probe says. */
  #note(worker: Worker, kind: ProbeKind, isSuccess: boolean): boolean {
    const { probe, last } = worker;
    const count = last?.isSuccess === isSuccess ? last.count + 1 : 1;
    worker.last = { isSuccess, count };
    const threshold = isSuccess ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? defaultFailures);
    if (count < threshold) return false;
    const hasChanged = worker.result !== isSuccess;
    worker.result = isSuccess;
    worker.isOnHold = kind === 'startup' || (kind === 'liveness' && !isSuccess);
    return hasChanged;
  }

  /** Returns undefined if the probe has no result. */
  async #run({ of }: Probed, kind: ProbeKind, probe: Probe): Promise<boolean | undefined> {
    const { recordEvent } = this.#options;
    let result: ProbeResult = { kind: 'unknown', output: '' };
    for (let tries = 0; tries < maxTries && result.kind === 'unknown'; tries++) result = await this.#options.run(probe, of);
    const warn = (reason: string, message: string): void => recordEvent(of.pod, of.container, { type: 'Warning', reason, message });
    switch (result.kind) {
      case 'unknown':
        warn('Unhealthy', `${titles[kind]} probe errored and resulted in unknown state: ${result.output}`);
        return undefined;
      case 'failure':
        warn('Unhealthy', `${titles[kind]} probe failed: ${result.output}`);
        return false;
      case 'warning':
        warn('ProbeWarning', `${titles[kind]} probe warning: ${result.output}`);
        return true;
      default:
        return true;
    }
  }
}

function close(probed: Probed): void {
  probed.isClosed = true;
  for (const { cancel } of probed.workers.values()) cancel?.();
}
