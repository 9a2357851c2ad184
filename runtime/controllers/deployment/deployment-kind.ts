/** The kind in owner references to deployments. */
export const deploymentKind = { apiVersion: 'apps/v1', kind: 'Deployment' };
