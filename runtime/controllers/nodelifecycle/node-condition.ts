import type { Node, NodeCondition } from '../../../generated/v1.35/core/v1/types.ts';

/** (pkg/controller/util/node GetNodeCondition) */
export const conditionOf = ({ status }: Node, type: string): NodeCondition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);
