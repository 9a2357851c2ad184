import { equalJson } from '../../machinery/json/equality.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { formatLabels } from '../printers.ts';
import { isNotMoreThan100Percent, isZeroOrAbsent, validatePositiveIntOrPercent } from '../validation/fields.ts';
import { none, type WarningStrategy } from '../warnings.ts';
import {
  templatePath,
  validateNonnegativeFields,
  validateSelectorAndTemplate,
  warningsForPodTemplate,
} from './pod-template.ts';
import { countsOf, validateReplicaCounts } from './replica-counts.ts';

export function validateDaemonSet(daemonSet: Part, field: Field): void {
  validateReplicaCounts(daemonSet, countsOf.daemonSet, field);
  const spec = daemonSet.spec ?? {};
  const at = field.child('spec');
  validateSelectorAndTemplate(spec, { selector: 'daemonset', kind: 'DaemonSet' }, at);
  validateNonnegativeFields(spec, ['minReadySeconds', 'revisionHistoryLimit'], at);
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  if (type !== 'RollingUpdate' || !rollingUpdate) return;
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const strategy = at.child('updateStrategy', 'rollingUpdate');
  validatePositiveIntOrPercent(maxUnavailable, strategy.child('maxUnavailable'));
  isNotMoreThan100Percent(maxUnavailable, strategy.child('maxUnavailable'));
  validatePositiveIntOrPercent(maxSurge, strategy.child('maxSurge'));
  isNotMoreThan100Percent(maxSurge, strategy.child('maxSurge'));
  if (!isZeroOrAbsent(maxUnavailable) && !isZeroOrAbsent(maxSurge)) {
    strategy.child('maxSurge').invalid(maxSurge, 'may not be set when maxUnavailable is non-zero');
  } else if (isZeroOrAbsent(maxUnavailable) && isZeroOrAbsent(maxSurge)) {
    strategy.child('maxUnavailable').required('cannot be 0 when maxSurge is 0');
  }
}

/** (SetDefaults_DaemonSet) */
export function setDaemonSetDefaults(daemonSet: Part): void {
  daemonSet.spec ??= {};
  const spec = daemonSet.spec;
  spec.updateStrategy ??= {};
  spec.updateStrategy.type ||= 'RollingUpdate';
  if (spec.updateStrategy.type === 'RollingUpdate') {
    const { maxUnavailable = 1, maxSurge = 0 } = spec.updateStrategy.rollingUpdate ?? {};
    spec.updateStrategy.rollingUpdate = { maxUnavailable, maxSurge };
  }
  spec.revisionHistoryLimit ??= 10;
}
export const daemonSetNodeSelector = (object: KubeObject): string =>
  formatLabels(object.spec?.template?.spec?.nodeSelector);

const templateGeneration = (object: KubeObject): string | undefined =>
  object.metadata.annotations?.['deprecated.daemonset.template.generation'];

export const daemonSetWarnings: WarningStrategy = {
  warningsOnCreate: (object) => warningsForPodTemplate(object.spec?.template, templatePath),
  warningsOnUpdate: (object, old) =>
    templateGeneration(object) === templateGeneration(old)
      ? none
      : warningsForPodTemplate(object.spec?.template, templatePath),
};

const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

/** apps/v1 keeps what was once spec.templateGeneration in an annotation. (pkg/registry/apps/daemonset/strategy.go) */
export const daemonSetStrategy: RESTStrategy = {
  prepareForCreate(daemonSet) {
    const asked = Number(daemonSet.metadata.annotations?.[templateGenerationAnnotation] ?? 0);
    setTemplateGeneration(daemonSet, Math.max(asked, 1));
  },
  prepareForUpdate(daemonSet, old, { part }) {
    if (part !== 'main') return;
    const before = Number(old.metadata.annotations?.[templateGenerationAnnotation] ?? 0);
    setTemplateGeneration(daemonSet, equalJson(daemonSet.spec?.template, old.spec?.template) ? before : before + 1);
  },
};

function setTemplateGeneration({ metadata }: KubeObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGenerationAnnotation]: String(generation) };
}
