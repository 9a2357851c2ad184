import type { KubeObject } from '../../../machinery/object.ts';
import type { CustomResourceDefinition } from '../shape.ts';
import type { ResolveService } from './service-address.ts';
import { webhookConverter } from './webhook.ts';

/** Makes objects of one version into objects of another. */
export interface Converter {
  /**
   * The objects at `apiVersion`, in their order. May change and return its arguments.
   *
   * @param objects none of them at `apiVersion`
   * @throws StatusError 500 where they cannot be converted
   */
  convert(objects: readonly KubeObject[], apiVersion: string): readonly KubeObject[] | Promise<readonly KubeObject[]>;
}

/** Versions that differ by nothing but their name. (pkg/apiserver/conversion/nop_converter.go) */
const noneConverter: Converter = {
  convert(objects, apiVersion) {
    for (const object of objects) object.apiVersion = apiVersion;
    return objects;
  },
};

/** @param resolve finds the services that webhooks are named by */
export function converterOf(crd: CustomResourceDefinition, resolve: ResolveService): Converter {
  const { conversion } = crd.spec;
  if (conversion?.strategy !== 'Webhook' || conversion.webhook === undefined) return noneConverter;
  return webhookConverter(conversion.webhook, resolve);
}
