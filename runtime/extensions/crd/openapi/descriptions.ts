import { descriptions } from '../../../machinery/descriptions.ts';
import type { OpenAPIObject } from './dialect.ts';
import type { Route } from './routes.ts';

/*
 * Kubernetes' descriptions of the common parts of custom resources. Empty where the build had no descriptions.
 * (pkg/controller/openapi/builder/builder.go)
 */

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const described = (text: string | undefined): OpenAPIObject => (text === undefined ? {} : { description: text });

export const ofTypeMeta = (field: 'apiVersion' | 'kind'): OpenAPIObject => described(descriptions.field(`${meta}.TypeMeta`, field));

export function ofEmbeddedTypeMeta(field: 'apiVersion' | 'kind'): OpenAPIObject {
  const text = descriptions.field(`${meta}.TypeMeta`, field);
  return described(text && embeddedDescription(field, text));
}

/** Returns the shorter description of a field of embedded resources, without the sentences about servers. */
export function embeddedDescription(field: string, text: string): string {
  const [first = '', ...others] = text.replace(/^\w+/, field).split('. ');
  const kept = others.filter((sentence) => /^(In CamelCase|More info)/.test(sentence));
  return [first.replace(/the REST resource .*/, 'the type of this object'), ...kept].join('. ');
}

export const ofObjectMeta = (): OpenAPIObject => described(descriptions.field(`${meta}.PartialObjectMetadata`, 'metadata'));

/** Returns the description that lists of built-in kinds have. */
export const ofListMeta = (): OpenAPIObject => described(descriptions.field('io.k8s.api.core.v1.PodList', 'metadata'));

export const ofItems = (plural: string): OpenAPIObject =>
  described(descriptions.field('io.k8s.api.core.v1.PodList', 'items')?.replace('pods', plural));

/**
 * Returns the description of an operation. Operations of built-in kinds list or watch; those of custom resources only
 * list.
 */
export const ofOperation = ({ action, subresource }: Route, kind: string): OpenAPIObject =>
  described(descriptions.operation(action, kind, subresource)?.replace(/^list or watch /, 'list '));

export const ofParameter = ({ action }: Route, name: string, kind: string): OpenAPIObject =>
  described(descriptions.parameter(action, name, kind));
