import { authenticatedGroup, serviceAccountGroups, serviceAccountUserName } from '../machinery/user-info.ts';
import type { Writer } from '../resources/rest.ts';

/** Returns a controller's identity for writes: its own service account in kube-system, and the common field manager. */
export function writerOfController(serviceAccount: string): Writer {
  return {
    user: {
      name: serviceAccountUserName('kube-system', serviceAccount),
      uid: '',
      groups: [...serviceAccountGroups('kube-system'), authenticatedGroup],
      extra: {},
    },
    dryRun: false,
    internal: true,
    isAdmitted: true,
    onlyAsLeader: true,
    fieldManager: 'kube-controller-manager',
    warn: () => undefined,
  };
}
