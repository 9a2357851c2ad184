import type { Controller, ControllerParts } from '../controller.ts';
import { NamespaceDefaults } from './namespace-defaults.ts';

/** The service account `default` of every namespace. (kubernetes pkg/controller/serviceaccount) */
export function serviceAccountController(parts: ControllerParts): Controller {
  return new NamespaceDefaults(parts, {
    resource: 'serviceaccounts',
    name: 'default',
    serviceAccount: 'service-account-controller',
    content: {},
  });
}
