// cost limits of expressions (apiserver pkg/apis/cel/config.go, apiextensions pkg/apis/apiextensions/validation)

/** The cost limit of one evaluation of one rule. */
export const perCallLimit = 1_000_000;
/** The cost limit of all rules of one object, or of all expressions of one policy and binding. */
export const runtimeCostBudget = 10_000_000;
/** The cost limit of the match conditions of one webhook or policy. */
export const runtimeCostBudgetMatchConditions = 2_500_000;
/** The limit of one rule's estimated cost. */
export const staticEstimatedCostLimit = 10_000_000n;
/** The limit of the estimated cost of all rules of one version of a resource. */
export const staticEstimatedCrdCostLimit = 100_000_000n;
/** The maximum length of a messageExpression's result, in bytes. */
export const maxEvaluatedMessageExpressionSizeBytes = 5 * 1024;
