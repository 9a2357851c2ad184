import type { CustomResourceDefinition } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { Converter } from './converter.ts';
import type { ServiceResolver } from './service-resolver.ts';
import { webhookConverter } from './webhook-converter.ts';

/** For versions that differ in nothing but their name. (pkg/apiserver/conversion/nop_converter.go) */
const nopConverter: Converter = {
  convert(objects, apiVersion) {
    for (const object of objects) object.apiVersion = apiVersion;
    return objects;
  },
};

/** The converter that a definition asks for. (pkg/apiserver/conversion/converter.go CRConverterFactory.NewConverter) */
export function newConverter({ spec }: CustomResourceDefinition, resolve: ServiceResolver): Converter {
  const { conversion } = spec;
  if (conversion?.strategy !== 'Webhook' || conversion.webhook === undefined) return nopConverter;
  return webhookConverter(conversion.webhook, resolve);
}
