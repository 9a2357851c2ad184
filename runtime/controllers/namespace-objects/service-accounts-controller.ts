import type { Controller } from '../../reconcile/controller.ts';
import type { ControllerContext } from '../controller-context.ts';
import { NamespaceObjectController } from './namespace-object-controller.ts';

/** Creates the service account `default` in every namespace. (kubernetes pkg/controller/serviceaccount) */
export function serviceAccountsController(context: ControllerContext): Controller {
  return new NamespaceObjectController(context, {
    resource: 'serviceaccounts',
    name: 'default',
    serviceAccount: 'service-account-controller',
    content: {},
  });
}
