import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { formatLabels } from '../printers.ts';
import {
  isNotMoreThan100Percent,
  isZeroOrAbsent,
  validateNonnegativeFields,
  validatePositiveIntOrPercent,
} from '../validation/fields.ts';
import { none, type WarningStrategy } from '../warnings.ts';
import { validateDaemonSetStatus } from './status.ts';
import { templatePath, validateSelectorAndTemplate, warningsForPodTemplate } from './workloads.ts';

type DaemonSet = Unvalidated<apps.DaemonSet>;

/** (ValidateDaemonSetSpec) */
export function validateDaemonSet({ spec = {}, status }: DaemonSet, field: Field): void {
  validateDaemonSetStatus(status, field.child('status'));
  const at = field.child('spec');
  validateSelectorAndTemplate(spec, { selector: 'daemonset', kind: 'DaemonSet' }, at);
  validateNonnegativeFields(spec, ['minReadySeconds', 'revisionHistoryLimit'], at);
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  if (type === 'RollingUpdate' && rollingUpdate) {
    validateRollingUpdateDaemonSet(rollingUpdate, at.child('updateStrategy', 'rollingUpdate'));
  }
}

function validateRollingUpdateDaemonSet(
  { maxUnavailable, maxSurge }: Unvalidated<apps.RollingUpdateDaemonSet>,
  field: Field,
): void {
  validatePositiveIntOrPercent(maxUnavailable, field.child('maxUnavailable'));
  isNotMoreThan100Percent(maxUnavailable, field.child('maxUnavailable'));
  validatePositiveIntOrPercent(maxSurge, field.child('maxSurge'));
  isNotMoreThan100Percent(maxSurge, field.child('maxSurge'));
  if (!isZeroOrAbsent(maxUnavailable) && !isZeroOrAbsent(maxSurge)) {
    field.child('maxSurge').invalid(maxSurge, 'may not be set when maxUnavailable is non-zero');
  } else if (isZeroOrAbsent(maxUnavailable) && isZeroOrAbsent(maxSurge)) {
    field.child('maxUnavailable').required('cannot be 0 when maxSurge is 0');
  }
}

/** (SetDefaults_DaemonSet) */
export function setDaemonSetDefaults(daemonSet: DaemonSet): void {
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

export const daemonSetNodeSelector = ({ spec }: DaemonSet): string => formatLabels(spec?.template?.spec?.nodeSelector);

/** What used to be spec.templateGeneration. (DeprecatedTemplateGeneration) */
const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

const templateGeneration = ({ metadata }: DaemonSet): string | undefined =>
  metadata?.annotations?.[templateGenerationAnnotation];

export const daemonSetWarnings: WarningStrategy<DaemonSet> = {
  warningsOnCreate: ({ spec }) => warningsForPodTemplate(spec?.template, templatePath),
  warningsOnUpdate: (daemonSet, old) =>
    templateGeneration(daemonSet) === templateGeneration(old)
      ? none
      : warningsForPodTemplate(daemonSet.spec?.template, templatePath),
};

/** (pkg/registry/apps/daemonset/strategy.go) */
export const daemonSetStrategy: RESTStrategy = {
  prepareForCreate(daemonSet: apps.DaemonSet) {
    const requested = Number(templateGeneration(daemonSet) ?? 0);
    setTemplateGeneration(daemonSet, Math.max(requested, 1));
  },
  prepareForUpdate(daemonSet: apps.DaemonSet, old: apps.DaemonSet, { part }) {
    if (part !== 'main') return;
    const before = Number(templateGeneration(old) ?? 0);
    setTemplateGeneration(daemonSet, equalJson(daemonSet.spec?.template, old.spec?.template) ? before : before + 1);
  },
};

function setTemplateGeneration({ metadata }: { readonly metadata: ObjectMeta }, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGenerationAnnotation]: String(generation) };
}
