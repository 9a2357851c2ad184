import type { KubeObject } from '../../machinery/object.ts';
import type { JsonSchema } from '../../machinery/schema/json-schema.ts';

/** apiextensions.k8s.io/v1 CustomResourceDefinition, as far as it is served from. All of it is validated before. */
export interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string;
    names: Names;
    scope: 'Namespaced' | 'Cluster';
    versions: Version[];
    conversion?: ConversionSpec;
    preserveUnknownFields?: boolean;
  };
  status?: {
    conditions?: Condition[] | null;
    acceptedNames?: Names;
    storedVersions?: string[] | null;
  };
}

export interface Names {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

export interface Version {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JsonSchema };
  subresources?: { status?: object; scale?: ScalePaths };
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface ScalePaths {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

export interface PrinterColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

export interface ConversionSpec {
  strategy: 'None' | 'Webhook';
  webhook?: {
    conversionReviewVersions: string[];
    clientConfig?: {
      url?: string;
      service?: { namespace: string; name: string; path?: string; port?: number };
      caBundle?: string;
    };
  };
}

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
  observedGeneration?: number;
}

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export function findCRDCondition(crd: CustomResourceDefinition, type: string): Condition | undefined {
  return crd.status?.conditions?.find((one) => one.type === type);
}

export function isTrue(crd: CustomResourceDefinition, type: string): boolean {
  return findCRDCondition(crd, type)?.status === 'True';
}

/** The version whose JSON is on disk. Validation sees to it that there is one. */
export function getCRDStorageVersion({ spec }: CustomResourceDefinition): string {
  return (spec.versions.find(({ storage }) => storage) ?? spec.versions[0]).name;
}

/** The names it is served under. */
export function servedNames({ spec, status }: CustomResourceDefinition): Names {
  return status?.acceptedNames?.plural ? status.acceptedNames : spec.names;
}
