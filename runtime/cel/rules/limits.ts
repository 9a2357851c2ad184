// cost limits of expressions (apiserver pkg/apis/cel/config.go, apiextensions pkg/apis/apiextensions/validation)

/** Of one evaluation of one rule. */
export const perCallLimit = 1_000_000;
/** Of all rules of one object, or all expressions of one policy and binding. */
export const runtimeCostBudget = 10_000_000;
/** Of the match conditions of one webhook or policy. */
export const runtimeCostBudgetMatchConditions = 2_500_000;
/** The estimated cost of one rule. */
export const staticEstimatedCostLimit = 10_000_000n;
/** The estimated cost of all rules of one version of a resource. */
export const staticEstimatedCrdCostLimit = 100_000_000n;
/** The length of the result of a messageExpression, in bytes. */
export const maxEvaluatedMessageExpressionSizeBytes = 5 * 1024;
