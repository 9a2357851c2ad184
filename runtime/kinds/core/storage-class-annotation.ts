/** Names the storage class of a volume or claim without one in its spec. (core.BetaStorageClassAnnotation) */
export const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
