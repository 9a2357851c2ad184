/** Whether a component is one of Kubernetes' own, whose validation is upstream's and not that of its schema. */
export const isKubernetes = (id: string): boolean => /^io\.k8s\.(api|apimachinery|apiextensions-apiserver|kube-aggregator)\./.test(id);
