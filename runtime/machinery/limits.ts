/**
 * How many errors of one object a response names. Upstream limits only what a strict decoder reports, to the same number
 * (sigs.k8s.io/json); the other lists are unlimited there.
 */
export const maxReportedErrors = 100;

/**
 * The most bytes of a request to etcd, as its members write it to their log: the default of its flag --max-request-bytes.
 * Other storages refuse the same objects.
 */
export const maxRequestBytes = 1.5 * 1024 * 1024;

/** How much of one value a message repeats, in UTF-16 units. */
export const maxExcerptLength = 1024;

/** How long the explanation in a message may be, in UTF-16 units. It exceeds the longest that a CEL rule may write. */
export const maxDetailLength = 8 * 1024;

/**
 * How deep a document may nest, in every format. encoding/json stops at 10,000, but a Go stack grows and ours does not:
 * JSON.stringify overflows at about 4,500 and generated code earlier. No real object passes 100.
 */
export const maxDepth = 1_000;
