/** What expressions may cost. (apiserver pkg/apis/cel/config.go, apiextensions pkg/apis/apiextensions/validation) */

/** One evaluation of one rule. */
export const perCallLimit = 1_000_000;
/** All rules of one object. */
export const runtimeCostBudget = 10_000_000;
/** One rule in the worst case. */
export const staticEstimatedCostLimit = 10_000_000n;
/** All rules of one version of a resource in the worst case. */
export const staticEstimatedCrdCostLimit = 100_000_000n;
/** The text a messageExpression gives, in bytes. */
export const maxEvaluatedMessageExpressionSizeBytes = 5 * 1024;
