import type { TypeId, TypeModel } from '../model/model.ts';
import { followVersions } from './overlay-versions.ts';
import { noOverlays, type Overlays, readOverlays } from './overlays.ts';
import type { GatheredResource } from './resources.ts';
import type { ProblemList } from './schema-errors.ts';
import { type OverlaysReference, readReference } from './uncovered.ts';
import { isKubernetes } from './user-schemas/kubernetes.ts';

/** Where overlays are. */
export interface OverlayFolders {
  /** Folder of overlays. Default: no overlays. */
  readonly overlays?: string | undefined;
  /** Folder of the overlays for Kubernetes' own group-versions, if any is served and `overlays` are not given. */
  readonly kubernetesOverlays?: string;
}

/** The overlays for a release. */
export interface ReleaseOverlays {
  readonly overlays: Overlays;
  /** The release that they were written for, if it is another one. */
  readonly writtenFor?: string;
  /** What that release has, if it is known. */
  readonly reference?: OverlaysReference;
}

/** Reads the overlays for a release. If they were written for another one, they follow kinds to other versions. */
export async function overlaysFor(
  release: string,
  { overlays: given, kubernetesOverlays }: OverlayFolders,
  types: ReadonlyMap<TypeId, TypeModel>,
  resources: readonly GatheredResource[],
  problems: ProblemList,
): Promise<ReleaseOverlays> {
  const folder = given ?? (resources.some(({ type }) => isKubernetes(type)) ? kubernetesOverlays : undefined);
  if (folder === undefined) return { overlays: noOverlays };
  const overlays = await readOverlays(folder, problems);
  if (overlays.release === undefined || overlays.release === release) return { overlays };
  const reference = await readReference(folder, overlays.release);
  return {
    overlays: { ...overlays, files: followVersions(overlays.files, types, resources) },
    writtenFor: overlays.release,
    ...(reference ? { reference } : {}),
  };
}
