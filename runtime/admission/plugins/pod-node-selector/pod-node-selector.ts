import type { Namespace } from '../../../../generated/v1.35/core/v1/types.ts';
import { decodeYaml } from '../../../codec/yaml.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { forbidden, notFound, type StatusError } from '../../../machinery/errors/status.ts';
import { isJsonObject, memberOf } from '../../../machinery/json/values.ts';
import type { Lister, Listers } from '../../../resources/lister.ts';
import type { Plugin, PluginFactory } from '../../plugin.ts';
import { onCore, podOf, podSpecOf } from '../../resources.ts';
import { conflicts, convertSelectorToLabelsMap, isSubset, type Labels } from './label-maps.ts';

const annotation = 'scheduler.alpha.kubernetes.io/node-selector';

/** Node selectors by namespace, and the selector of namespaces without an annotation. */
type ClusterNodeSelectors = Readonly<Record<string, string>>;

export const newPodNodeSelector: PluginFactory = ({ listers }, configuration) =>
  new PodNodeSelector(listers, readConfiguration(configuration?.bytes));

/**
 * Restricts the pods of a namespace to the nodes that its node selector selects. (plugin/pkg/admission/podnodeselector)
 */
class PodNodeSelector implements Plugin {
  readonly handles = onCore('pods', 'CREATE');
  readonly #listers: Listers;
  readonly #selectors: ClusterNodeSelectors;
  #namespaces: Lister<Namespace> | undefined;

  constructor(listers: Listers, selectors: ClusterNodeSelectors) {
    this.#listers = listers;
    this.#selectors = selectors;
  }

  async start(): Promise<void> {
    this.#namespaces = await this.#listers.open({ group: '', version: 'v1', resource: 'namespaces' });
  }

  admit(attributes: Attributes): void {
    const spec = podSpecOf(attributes);
    const ofNamespace = this.#requireNoConflict(attributes, spec.nodeSelector ?? {});
    if (Object.keys(ofNamespace).length > 0) spec.nodeSelector = { ...ofNamespace, ...spec.nodeSelector };
    this.#requireAllowed(attributes, spec.nodeSelector ?? {});
  }

  validate(attributes: Attributes): void {
    const { nodeSelector = {} } = podSpecOf(attributes);
    this.#requireNoConflict(attributes, nodeSelector);
    this.#requireAllowed(attributes, nodeSelector);
  }

  /** Returns the node selector of the namespace. */
  #requireNoConflict(attributes: Attributes, nodeSelector: Labels): Labels {
    const namespace = this.#namespaces?.get('', attributes.namespace);
    if (namespace === undefined) throw notFound({ group: '', resource: 'namespaces' }, attributes.namespace);
    const text = namespace.metadata.annotations?.[annotation] ?? memberOf(this.#selectors, 'clusterDefaultNodeSelector');
    const ofNamespace = convertSelectorToLabelsMap(text ?? '');
    if (!conflicts(ofNamespace, nodeSelector)) return ofNamespace;
    throw refusal(attributes, 'pod node label selector conflicts with its namespace node label selector');
  }

  #requireAllowed(attributes: Attributes, nodeSelector: Labels): void {
    const whitelist = convertSelectorToLabelsMap(memberOf(this.#selectors, attributes.namespace) ?? '');
    if (isSubset(nodeSelector, whitelist)) return;
    throw refusal(attributes, 'pod node label selector labels conflict with its namespace whitelist');
  }
}

const refusal = (attributes: Attributes, why: string): StatusError =>
  forbidden(attributes.definition, podOf(attributes).metadata.name ?? '', why);

/** Reads the member `podNodeSelectorPluginConfig`. @throws Error for selectors that are not strings */
function readConfiguration(bytes: Uint8Array | undefined): ClusterNodeSelectors {
  const value = bytes === undefined ? {} : decodeYaml(bytes);
  const given = isJsonObject(value) ? (value.podNodeSelectorPluginConfig ?? {}) : {};
  if (!isJsonObject(given)) throw new Error('podNodeSelectorPluginConfig must be a map');
  for (const [name, selector] of Object.entries(given)) {
    if (typeof selector !== 'string') throw new Error(`podNodeSelectorPluginConfig.${name} must be a string`);
  }
  return given as ClusterNodeSelectors;
}
