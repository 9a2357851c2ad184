import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The comparison of one answer: `listed` if it differs for causes that docs/differences.md lists. */
export type Comparison = 'equal' | 'listed' | 'different';

/** The answers about one feature of kube-apiserver. */
export interface FeatureCounts {
  /** For example `server-side apply`. */
  readonly feature: string;
  readonly requests: number;
  /** Answers that differ, without the listed ones. */
  readonly differences: number;
  /** Answers that differ for listed causes. */
  readonly listed: number;
}

/** The outcome of one run of a tester, as a file. test/reference/reports has those that docs/compatibility.md shows. */
export interface Report {
  /** A noun phrase about the requests, for example `random requests about built-in kinds`. */
  readonly source: string;
  /** The command that makes the report again. */
  readonly command: string;
  /** The version of kube-apiserver, for example `v1.35.0`. */
  readonly version: string;
  readonly features: readonly FeatureCounts[];
}

/** Counts compared answers by feature. */
export class Tally {
  readonly #counts = new Map<string, Record<Comparison, number>>();

  count(feature: string, comparison: Comparison, times = 1): void {
    let counts = this.#counts.get(feature);
    if (counts === undefined) {
      counts = { equal: 0, listed: 0, different: 0 };
      this.#counts.set(feature, counts);
    }
    counts[comparison] += times;
  }

  /** Returns the counts, sorted by feature. */
  features(): readonly FeatureCounts[] {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([feature, { equal, listed, different }]) => ({
        feature,
        requests: equal + listed + different,
        differences: different,
        listed,
      }));
  }
}

/** Writes a report to the file that REPORT names. Does nothing without it. */
export async function writeReport(report: Report, file = process.env.REPORT ?? ''): Promise<void> {
  if (file === '') return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`);
}
