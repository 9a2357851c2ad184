import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compilations, evaluations } from '../../cel/rules/timings.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import { type FeatureGates, featureSpecs } from '../../machinery/feature-gates/feature-gates.ts';
import { formatGroupResource } from '../../machinery/gvk.ts';
import { Exposition, formatLabels } from '../../machinery/metrics/exposition.ts';
import type { VersionInfo } from '../../machinery/version.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { renderProcessMetrics } from './process-metrics.ts';

/** Where the objects are, and how often they are counted. */
export interface StoreOptions {
  readonly storage?: string | undefined;
  readonly dataDir?: string | undefined;
  /** 0 if objects are not counted. */
  readonly etcdCountMetricPollPeriod?: number | undefined;
}

export interface MetricsPageOptions {
  /** @param inFlight false if flow control reports the requests in flight */
  readonly requests: { render(inFlight: boolean): string };
  /** Absent if priority and fairness is disabled. */
  readonly flowControl?: FlowControl | undefined;
  /** Absent if another engine than etcd stores the objects. */
  readonly etcd?: { renderMetrics(): Promise<string> } | undefined;
  /** Absent if stored objects are not encrypted. */
  readonly encryption?: { renderMetrics(): string } | undefined;
  /** Absent if the server has no APIServices. */
  readonly aggregator?: { render(): string } | undefined;
  readonly stores: ResourceStores;
  readonly options: StoreOptions;
  readonly features: FeatureGates;
  /** The minor version of the Kubernetes release. */
  readonly minor: number;
  readonly version: VersionInfo;
}

/**
 * The text of /metrics. Metrics have kube-apiserver's names and labels; metrics without a counterpart here are left
 * out.
 */
export class MetricsPage {
  readonly #options: MetricsPageOptions;

  constructor(options: MetricsPageOptions) {
    this.#options = options;
  }

  async render(): Promise<string> {
    const { requests, flowControl, etcd, encryption, aggregator } = this.#options;
    const text =
      requests.render(flowControl === undefined) +
      (flowControl?.metrics.render() ?? '') +
      (encryption?.renderMetrics() ?? '') +
      (aggregator?.render() ?? '') +
      (await this.#renderStorage()) +
      ((await etcd?.renderMetrics()) ?? '') +
      this.#renderInfo();
    return sortByName(text + renderRegistered(text) + (await renderProcessMetrics()));
  }

  /** Unopened resources have no objects: the garbage collector opens all others. */
  async #renderStorage(): Promise<string> {
    const text = new Exposition();
    const counts = [...(await this.#objectCounts())];
    const objects = 'apiserver_resource_objects';
    text.head(objects, 'gauge', '[ALPHA] Number of stored objects by resource.');
    for (const { group, resource, count } of counts) text.line(objects, formatLabels({ group, resource }), count);
    const older = 'apiserver_storage_objects';
    text.head(older, 'gauge', '[STABLE] (Deprecated since 1.34.0) Former name of apiserver_resource_objects.');
    for (const { group, resource, count } of counts) {
      text.line(older, formatLabels({ resource: formatGroupResource({ group, resource }) }), count);
    }
    const revision = 'apiserver_watch_cache_resource_version';
    text.head(revision, 'gauge', '[ALPHA] Newest resource version of the watch cache by resource.');
    for (const { definition, collection } of this.#options.stores.allOpen()) {
      const { group, resource } = definition;
      text.line(revision, formatLabels({ group, resource }), collection.latest().revision);
    }
    const bytes = await this.#databaseSize();
    const size = 'apiserver_storage_size_bytes';
    text.head(size, 'gauge', '[STABLE] Size in bytes of the file of the store.');
    if (bytes !== undefined) text.line(size, formatLabels({ storage_cluster_id: 'etcd-0' }), bytes);
    return text.toString();
  }

  async #objectCounts(): Promise<{ group: string; resource: string; count: number }[]> {
    const { stores, options } = this.#options;
    if (options.etcdCountMetricPollPeriod === 0) return [];
    const counts: { group: string; resource: string; count: number }[] = [];
    for (const { facts, definition } of stores.registry.storedEntries()) {
      const { group, resource } = facts;
      const opened = definition && stores.ifOpen(definition);
      if (opened !== undefined) counts.push({ group, resource, count: opened.collection.latest().count() });
      else if (!(await stores.hasObjects(facts))) counts.push({ group, resource, count: 0 });
    }
    return counts;
  }

  /** Returns undefined for a store in memory, and for etcd, which reports its own size. */
  async #databaseSize(): Promise<number | undefined> {
    const { storage, dataDir = 'data' } = this.#options.options;
    if (storage !== 'lmdb') return undefined;
    const { dataName } = await import('../../storage/lmdb/file-names.ts');
    const file = await stat(join(dataDir, dataName)).catch(() => undefined);
    return file && file.blocks * 512;
  }

  #renderInfo(): string {
    const { version, features, minor } = this.#options;
    const text = new Exposition();
    const build = 'kubernetes_build_info';
    text.head(build, 'gauge', '[ALPHA] Always 1; the labels are those of /version.');
    text.line(build, buildLabels(version), 1);
    text.head('version_info', 'gauge', '[ALPHA] Always 1; the labels are the compatible versions.');
    text.line('version_info', versionLabels(version), 1);
    const enabled = 'kubernetes_feature_enabled';
    text.head(enabled, 'gauge', '[BETA] Whether a feature gate is on, with the stage of the feature.');
    for (const [name, { stage }] of featureSpecs(minor)) {
      const label = stage === 'ga' ? '' : stage.toUpperCase();
      text.line(enabled, formatLabels({ name, stage: label }), features[name] ? 1 : 0);
    }
    for (const [name, timings] of [
      ['compilation', compilations],
      ['evaluation', evaluations],
    ] as const) {
      text.head(`apiserver_cel_${name}_duration_seconds`, 'histogram', `[BETA] Time of the ${name} of CEL rules.`);
      text.histogram(`apiserver_cel_${name}_duration_seconds`, '', timings);
    }
    for (const [name, help] of neverCounted) {
      text.head(name, 'counter', help);
      text.line(name, '', 0);
    }
    return text.toString();
  }
}

/** Counters that upstream always has and that stay 0 here. */
const neverCounted: readonly (readonly [name: string, help: string])[] = [
  [
    'apiserver_validation_declarative_validation_mismatch_total',
    '[BETA] Number of results of declarative validation that differ from those of validation by hand.',
  ],
  ['apiserver_validation_declarative_validation_panic_total', '[BETA] Number of panics of declarative validation.'],
  ['disabled_metrics_total', '[BETA] Number of disabled metrics.'],
  ['hidden_metrics_total', '[BETA] Number of hidden metrics.'],
];

function buildLabels(version: VersionInfo): string {
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = version;
  return formatLabels({
    build_date: buildDate,
    compiler,
    git_commit: gitCommit,
    git_tree_state: gitTreeState,
    git_version: gitVersion,
    go_version: goVersion,
    major,
    minor,
    platform,
  });
}

function versionLabels(version: VersionInfo): string {
  return formatLabels({
    binary: `${version.major}.${version.minor}`,
    component: 'kube',
    emulation: `${version.emulationMajor}.${version.emulationMinor}`,
    min_compat: `${version.minCompatibilityMajor}.${version.minCompatibilityMinor}`,
  });
}

/** Sorts metrics by name, as Go's library does. */
function sortByName(text: string): string {
  const metrics = text.split(/^(?=# HELP )/m).map((metric) => `${metric.trimEnd()}\n`);
  return metrics.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)).join('');
}

const nameOf = (metric: string): string => metric.split(' ', 3)[2] ?? '';

/** Counts the metrics of a text by stability. */
function renderRegistered(metrics: string): string {
  const text = new Exposition();
  const name = 'registered_metrics_total';
  text.head(name, 'counter', '[BETA] Number of metrics by stability and by the version that deprecated them.');
  const counts = new Map<string, number>();
  for (const [, stability = '', deprecated = ''] of metrics.matchAll(/^# HELP \S+ \[([A-Z]+)\](?: \(Deprecated since ([^)]+)\))?/gm)) {
    const labels = formatLabels({ deprecated_version: deprecated, stability_level: stability });
    counts.set(labels, (counts.get(labels) ?? 0) + 1);
  }
  for (const [labels, count] of [...counts].sort()) text.line(name, labels, count);
  return text.toString();
}
