/** What owner references to deployments say. */
export const deploymentKind = { apiVersion: 'apps/v1', kind: 'Deployment' };
