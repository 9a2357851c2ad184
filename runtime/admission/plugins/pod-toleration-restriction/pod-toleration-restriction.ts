import type { Namespace } from '../../../../generated/v1.35/core/v1/types.ts';
import { getPodQOS } from '../../../kinds/core/pod/qos.ts';
import { mergeTolerations, type Toleration, verifyAgainstWhitelist } from '../../../kinds/core/pod/tolerations.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { notFound, plainError } from '../../../machinery/errors/status.ts';
import type { Lister } from '../../../resources/lister.ts';
import type { Plugin, PluginFactory } from '../../plugin.ts';
import { onCore, podOf, podSpecOf } from '../../resources.ts';
import { loadConfiguration, parseTolerations } from './configuration.ts';

const defaultsAnnotation = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const whitelistAnnotation = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';

const memoryPressure: Toleration = {
  key: 'node.kubernetes.io/memory-pressure',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/**
 * Adds the tolerations of their namespace to pods, and refuses pods with tolerations that the namespace does not allow.
 * (plugin/pkg/admission/podtolerationrestriction)
 */
export const newPodTolerationRestriction: PluginFactory = ({ listers }, configuration): Plugin => {
  const { default: defaults = [], whitelist = [] } = loadConfiguration(configuration?.bytes);
  let namespaces: Lister<Namespace>;

  /** Returns the tolerations in an annotation of the namespace; undefined without the annotation. */
  const tolerationsOf = ({ namespace }: Attributes, annotation: string): readonly Toleration[] | undefined => {
    const found = namespaces.get('', namespace);
    if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    const text = found.metadata.annotations?.[annotation];
    return text === undefined ? undefined : parseTolerations(text);
  };
  const validate = (attributes: Attributes): void => {
    const { tolerations = [] } = podSpecOf(attributes);
    if (tolerations.length === 0) return;
    const ofNamespace = tolerationsOf(attributes, whitelistAnnotation);
    if (verifyAgainstWhitelist(tolerations, ofNamespace ?? whitelist)) return;
    const scope = ofNamespace === undefined ? 'cluster' : 'namespace';
    throw plainError(`pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`);
  };
  return {
    handles: onCore('pods', 'CREATE', 'UPDATE'),
    async start() {
      namespaces = await listers.open({ group: '', version: 'v1', resource: 'namespaces' });
    },
    admit(attributes) {
      const extra = attributes.operation === 'CREATE' ? [...(tolerationsOf(attributes, defaultsAnnotation) ?? defaults)] : [];
      if (getPodQOS(podOf(attributes)) !== 'BestEffort') extra.push(memoryPressure);
      const spec = podSpecOf(attributes);
      if (extra.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], extra);
      validate(attributes);
    },
    validate,
  };
};
