import type { Operation } from '../machinery/admission.ts';
import type { AdmissionMetricName, AdmissionMetrics, Series } from './admission-metrics.ts';

export type AdmissionStep = 'admit' | 'validate';

interface Timed {
  readonly step: AdmissionStep;
  readonly operation: Operation;
}

/** Observes how long admission takes, and whether it refuses. (metrics.WithMetrics) */
export class StepTimer {
  readonly #accepted: Series;
  readonly #rejected: () => Series;

  private constructor(metrics: AdmissionMetrics, metric: AdmissionMetricName, labels: Readonly<Record<string, string>>) {
    const series = (rejected: string): Series => metrics.series(metric, { ...labels, rejected });
    this.#accepted = series('false');
    this.#rejected = () => series('true');
  }

  static ofPlugin(metrics: AdmissionMetrics, name: string, { step, operation }: Timed): StepTimer {
    const metric = 'apiserver_admission_controller_admission_duration_seconds';
    return new StepTimer(metrics, metric, { name, operation, type: step });
  }

  static ofStep(metrics: AdmissionMetrics, { step, operation }: Timed): StepTimer {
    return new StepTimer(metrics, 'apiserver_admission_step_admission_duration_seconds', { operation, type: step });
  }

  /** Observes accepted work from `start` until now. Returns now. Times are those of performance.now(). */
  accepted(start: number): number {
    return observe(this.#accepted, start);
  }

  /** Observes work that refused the write or failed. Returns now. */
  rejected(start: number): number {
    return observe(this.#rejected(), start);
  }
}

function observe(series: Series, start: number): number {
  const end = performance.now();
  series.observe((end - start) / 1000);
  return end;
}
