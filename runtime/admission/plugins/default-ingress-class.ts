import type { Ingress, IngressClass } from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { DefaultClass } from '../default-class.ts';
import type { Plugin, PluginFactory } from '../plugin.ts';

const group = 'networking.k8s.io';
const classAnnotation = 'kubernetes.io/ingress.class';

/** Sets the default class of ingresses without a class. (plugin/pkg/admission/network/defaultingressclass) */
export const newDefaultIngressClass: PluginFactory = ({ listers }): Plugin => {
  let defaultClass: DefaultClass<IngressClass>;
  return {
    handles: (operation, definition, subresource) =>
      operation === 'CREATE' && definition.group === group && definition.resource === 'ingresses' && subresource === '',
    async start() {
      const lister = await listers.open<IngressClass>({ group, version: 'v1', resource: 'ingressclasses' });
      defaultClass = new DefaultClass(lister, ['ingressclass.kubernetes.io/is-default-class']);
    },
    admit({ object }) {
      const ingress = object as Unvalidated<Ingress>;
      if (ingress.spec?.ingressClassName !== undefined) return;
      if (ingress.metadata?.annotations?.[classAnnotation] !== undefined) return;
      const name = defaultClass.get()?.metadata.name;
      if (name !== undefined) ingress.spec = { ...ingress.spec, ingressClassName: name };
    },
  };
};
