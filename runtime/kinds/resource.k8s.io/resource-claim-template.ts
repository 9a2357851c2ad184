import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateTemplateObjectMeta } from '../core/template-object-meta.ts';
import { immutableText } from '../validation/fields.ts';
import { AdminAccess } from './admin-access.ts';
import { atStorageVersion } from './conversion.ts';
import { validateDeviceClaim } from './device-claim.ts';
import { internalClaimTemplateSpec } from './internal-types.ts';
import { adminAccessPath } from './resource-claim.ts';

/** (pkg/registry/resource/resourceclaimtemplate/strategy.go) */

type ResourceClaimTemplate = Unvalidated<resource.ResourceClaimTemplate>;

const adminAccess = new AdminAccess();

export const resourceClaimTemplateStrategy: RESTStrategy = {
  returnDeletedObject: true,
  async prepareForCreate(template: ResourceClaimTemplate & KubeObject, context) {
    const { spec }: ResourceClaimTemplate = atStorageVersion(template, context);
    const path = adminAccessPath(spec?.spec);
    if (path) await adminAccess.ask(template, path, context);
  },
  validateFirst: (template, errors) => adminAccess.report(template, errors),
  validateCreate(template: KubeObject, errors, context) {
    validateResourceClaimTemplate(atStorageVersion(template, context), Field.at(FieldPath.root, errors));
  },
  validateUpdate(template: KubeObject, old: KubeObject, errors, context) {
    const now: ResourceClaimTemplate = atStorageVersion(template, context);
    const before: ResourceClaimTemplate = atStorageVersion(old, context);
    const field = Field.at(FieldPath.root, errors);
    validateResourceClaimTemplate(now, field);
    if (!equalPruned(now.spec, before.spec)) {
      field.child('spec').invalid(internalClaimTemplateSpec(now.spec ?? {}), immutableText);
    }
  },
};

/** (pkg/apis/resource/validation, ValidateResourceClaimTemplate) */
function validateResourceClaimTemplate({ spec }: ResourceClaimTemplate, field: Field): void {
  const at = field.child('spec');
  if (spec?.metadata) validateTemplateObjectMeta(spec.metadata, at.child('metadata'));
  validateDeviceClaim(spec?.spec?.devices ?? {}, at.child('spec', 'devices'));
}
