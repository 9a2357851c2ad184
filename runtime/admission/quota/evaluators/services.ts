import type { Service } from '../../../../generated/v1.35/core/v1/types.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import { countOf, zero } from '../../../machinery/scalars/resource-amounts.ts';
import type { Evaluator, Measure } from '../evaluator.ts';
import { noScopes } from '../scopes.ts';
import { objectCountName, one } from './object-count.ts';

const countName = objectCountName('', 'services');
const names: ReadonlySet<string> = new Set([countName, 'services', 'services.nodeports', 'services.loadbalancers']);

/**
 * Measures a service. Intended node ports count even if they are not allocated yet.
 * (pkg/quota/v1/evaluator/core/services.go)
 */
function measure(service: KubeObject): Measure {
  const { type, ports = [], allocateLoadBalancerNodePorts } = (service as Service).spec ?? {};
  const isLoadBalancer = type === 'LoadBalancer';
  const counted = isLoadBalancer && allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => nodePort) : ports;
  const hasNodePorts = isLoadBalancer || type === 'NodePort';
  return {
    usage: new Map([
      [countName, one],
      ['services', one],
      ['services.loadbalancers', isLoadBalancer ? one : zero],
      ['services.nodeports', hasNodePorts ? countOf(counted.length) : zero],
    ]),
    scopes: noScopes,
  };
}

export const serviceEvaluator: Evaluator = {
  group: '',
  resource: 'services',
  measure,
  handles: (operation, subresource) => ['CREATE', 'UPDATE'].includes(operation) && subresource === '',
  matches: (name) => names.has(name),
};
