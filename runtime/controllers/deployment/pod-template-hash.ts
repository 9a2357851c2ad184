/** The label that a deployment adds to its ReplicaSets, their selectors and their pods. (DefaultDeploymentUniqueLabelKey) */
export const podTemplateHashLabel = 'pod-template-hash';
