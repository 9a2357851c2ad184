/** Reports whether a component is Kubernetes' own: upstream's code validates it, not its schema. */
export const isKubernetes = (id: string): boolean => /^io\.k8s\.(api|apimachinery|apiextensions-apiserver|kube-aggregator)\./.test(id);
