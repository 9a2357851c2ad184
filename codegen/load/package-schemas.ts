import { fileURLToPath } from 'node:url';

// The relative path holds for this file, and for the chunk in dist/chunks that it is compiled into.
const schemas = new URL('../../schemas/', import.meta.url);

/**
 * Kubernetes' schemas, which this package ships: the source of ObjectMeta and other shared types, and of the template
 * for paths.
 */
export const kubernetesSchemas = fileURLToPath(new URL('kubernetes/v1.35', schemas));

/** The overlays of Kubernetes' own groups, which this package ships. */
export const kubernetesOverlays = fileURLToPath(new URL('overlays', schemas));
