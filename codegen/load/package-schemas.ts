import { fileURLToPath } from 'node:url';

// Compiled, this file is part of a chunk in dist/chunks, from which the way is the same.
const schemas = new URL('../../schemas/', import.meta.url);

/**
 * Kubernetes' schemas, which this package ships: the source of ObjectMeta and other shared types, and of the shape of
 * paths.
 */
export const kubernetesSchemas = fileURLToPath(new URL('kubernetes/v1.35', schemas));

/** The overlays of Kubernetes' own groups, which this package ships. */
export const kubernetesOverlays = fileURLToPath(new URL('overlays', schemas));
