import { equalJson } from '../../machinery/json/equality.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { fromUnstructured, type Json, type JsonObject, type KubeObject, unstructuredContent } from '../../machinery/object.ts';

/*
 * apiextensions.k8s.io/v1beta1 is no longer served, but definitions are stored at it. Members that are equal in all
 * versions are stored once, in the spec. Validation refuses fields with unexpected types later.
 * (apiextensions-apiserver pkg/apis/apiextensions/v1 and v1beta1: conversion.go, defaults.go)
 */

export const v1beta1 = 'apiextensions.k8s.io/v1beta1';
const v1 = 'apiextensions.k8s.io/v1';

/** Members of versions, by their name in the spec. They are stored in the spec if all versions have the same value. */
const common: Readonly<Record<string, string>> = {
  subresources: 'subresources',
  validation: 'schema',
  additionalPrinterColumns: 'additionalPrinterColumns',
  selectableFields: 'selectableFields',
};

/** Converts a definition of v1. May change its argument. */
export function toV1beta1(definition: KubeObject): KubeObject {
  const content = unstructuredContent(definition);
  const spec = objectOf(content.spec);
  const versions = objectsOf(spec.versions).map(withColumns('jsonPath', 'JSONPath'));
  const name = versions[0]?.name;
  if (name !== undefined) spec.version = name;
  for (const [ofSpec, ofVersion] of Object.entries(common)) {
    const first = versions[0]?.[ofVersion];
    if (!versions.every((version) => equalJson(version[ofVersion], first))) continue;
    if (first !== undefined) spec[ofSpec] = first;
    for (const version of versions) delete version[ofVersion];
  }
  const { strategy = 'None', webhook } = objectOf(spec.conversion);
  const { clientConfig, conversionReviewVersions } = objectOf(webhook);
  return fromUnstructured({
    ...content,
    apiVersion: v1beta1,
    spec: {
      ...spec,
      ...(versions.length === 0 ? {} : { versions }),
      conversion: present({ strategy, webhookClientConfig: clientConfig, conversionReviewVersions }),
      preserveUnknownFields: spec.preserveUnknownFields ?? false,
    },
  });
}

/** Converts a definition of v1beta1, with the defaults of v1beta1. May change its argument. */
export function fromV1beta1(definition: KubeObject): KubeObject {
  const content = unstructuredContent(definition);
  const { version, conversion, scope, preserveUnknownFields = true, ...spec } = objectOf(content.spec);
  const versions = objectsOf(spec.versions);
  if (versions.length === 0 && version !== undefined) versions.push({ name: version, served: true, storage: true });
  for (const [ofSpec, ofVersion] of Object.entries(common)) {
    const shared = spec[ofSpec];
    delete spec[ofSpec];
    if (shared !== undefined && shared !== null) for (const each of versions) each[ofVersion] = shared;
  }
  return fromUnstructured({
    ...content,
    apiVersion: v1,
    spec: {
      ...spec,
      scope: scope === undefined || scope === '' ? 'Namespaced' : scope,
      versions: versions.map(withColumns('JSONPath', 'jsonPath')),
      conversion: conversionFrom(objectOf(conversion)),
      preserveUnknownFields,
    },
  });
}

function conversionFrom({ strategy = 'None', webhookClientConfig, conversionReviewVersions }: JsonObject): JsonObject {
  const isWebhook = strategy === 'Webhook';
  const reviewVersions = conversionReviewVersions ?? (isWebhook ? ['v1beta1'] : undefined);
  const webhook = present({ clientConfig: webhookClientConfig, conversionReviewVersions: reviewVersions });
  return Object.keys(webhook).length === 0 ? { strategy } : { strategy, webhook };
}

/** Returns a function that copies a version and renames the path of its columns. */
function withColumns(from: string, to: string): (version: JsonObject) => JsonObject {
  const renamed = ({ [from]: path, ...column }: JsonObject): JsonObject => (path === undefined ? column : { ...column, [to]: path });
  return (version) => {
    const { additionalPrinterColumns: columns } = version;
    return Array.isArray(columns)
      ? {
          ...version,
          additionalPrinterColumns: columns.map((column) => (isJsonObject(column) ? renamed(column) : column)),
        }
      : { ...version };
  };
}

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const objectsOf = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

function present(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, Json] => (entry[1] ?? null) !== null));
}
