import type { LimitRange, PersistentVolumeClaim, Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Attributes, Operation } from '../../../machinery/admission.ts';
import { aggregate } from '../../../machinery/errors/aggregate.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import type { Lister, Listers } from '../../../resources/lister.ts';
import { newForbidden } from '../../errors.ts';
import type { Plugin, PluginFactory } from '../../plugin.ts';
import { mergePodResourceRequirements } from './defaults.ts';
import { validateClaimLimits, validatePodLimits } from './limits.ts';

export const newLimitRanger: PluginFactory = ({ listers }) => new LimitRanger(listers);

/**
 * Sets the defaults of a namespace's limit ranges in containers, and refuses pods and claims outside the limits.
 * (kubernetes plugin/pkg/admission/limitranger)
 */
class LimitRanger implements Plugin {
  readonly #listers: Listers;
  #ranges: Lister<LimitRange> | undefined;

  constructor(listers: Listers) {
    this.#listers = listers;
  }

  handles(operation: Operation, { group, resource }: ResourceDefinition, subresource: string): boolean {
    if (group !== '') return false;
    const creates = operation === 'CREATE' && subresource === '';
    if (resource === 'pods') return creates || (operation === 'UPDATE' && subresource === 'resize');
    return resource === 'persistentvolumeclaims' && (creates || (operation === 'UPDATE' && subresource === ''));
  }

  async start(): Promise<void> {
    this.#ranges = await this.#listers.open({ group: '', version: 'v1', resource: 'limitranges' });
  }

  admit(attributes: Attributes): void {
    if (attributes.definition.resource !== 'pods') return;
    for (const range of this.#rangesFor(attributes)) mergePodResourceRequirements(attributes.object as Pod, range);
  }

  validate(attributes: Attributes): void {
    const { definition, object } = attributes;
    for (const range of this.#rangesFor(attributes)) {
      const problems =
        definition.resource === 'pods'
          ? validatePodLimits(range, object as Pod)
          : validateClaimLimits(range, object as PersistentVolumeClaim);
      if (problems.length > 0) throw newForbidden(attributes, aggregate(problems));
    }
  }

  /** Returns no limit ranges for objects that are being deleted. */
  #rangesFor({ namespace, oldObject }: Attributes): readonly LimitRange[] {
    if (oldObject?.metadata.deletionTimestamp) return [];
    return this.#ranges?.list(namespace) ?? [];
  }
}
