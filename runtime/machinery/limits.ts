/**
 * The number of errors of one object that a response names. Upstream limits only the list of its strict decoder, to the
 * same number (sigs.k8s.io/json).
 */
export const maxReportedErrors = 100;

/**
 * The maximum size of a request to etcd in bytes, as etcd's log encodes it: the default of etcd's flag
 * --max-request-bytes. Other storages refuse the same objects.
 */
export const maxRequestBytes = 1.5 * 1024 * 1024;

/** The part of one value that a message repeats, in UTF-16 units. */
export const maxExcerptLength = 1024;

/**
 * The maximum length of the explanation in a message, in UTF-16 units. It exceeds the longest message of a CEL rule.
 */
export const maxDetailLength = 8 * 1024;

/**
 * The maximum nesting of a document, in every format. encoding/json stops at 10,000, but a Go stack grows and ours does
 * not: JSON.stringify overflows at about 4,500 and generated code earlier. No real object passes 100.
 */
export const maxDepth = 1_000;
