import type { TypeId, TypeModel } from '../model/model.ts';
import { followVersions } from './overlay-versions.ts';
import { noOverlays, type Overlays, readOverlays } from './overlays.ts';
import type { GatheredResource } from './resources.ts';
import type { ProblemList } from './schema-errors.ts';
import { type OverlaysReference, readReference } from './uncovered.ts';
import { isKubernetes } from './user-schemas/kubernetes.ts';

/** The folders of overlays. */
export interface OverlayFolders {
  /** Folder of overlays. Default: no overlays. */
  readonly overlays?: string | undefined;
  /** The folder of overlays for Kubernetes' own group-versions, used if any is served and `overlays` is absent. */
  readonly kubernetesOverlays?: string;
}

/** The overlays for a release. */
export interface ReleaseOverlays {
  readonly overlays: Overlays;
  /** The release that the overlays were written for, if it is another one. */
  readonly writtenFor?: string;
  /** The contents of that release, if known. */
  readonly reference?: OverlaysReference;
}

/** Reads the overlays for a release. Overlays for another release are adapted to the versions of this one. */
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
    overlays: { ...overlays, files: followVersions(overlays.files, types, resources, reference) },
    writtenFor: overlays.release,
    ...(reference ? { reference } : {}),
  };
}
