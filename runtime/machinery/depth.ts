/**
 * How deep a document may nest, in every format. encoding/json stops at 10,000, but a Go stack grows and ours
 * does not: JSON.stringify overflows at about 4,500 and generated code earlier. No real object passes 100.
 */
export const maxDepth = 1_000;
