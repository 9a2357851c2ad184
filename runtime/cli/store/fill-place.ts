import type { RecordSum } from '../../storage/backup/record-digest.ts';
import type { StoreSnapshot } from '../../storage/kv/snapshot.ts';
import type { StorePlace } from './place.ts';
import { withProgress } from './progress.ts';

export interface FilledPlace extends RecordSum {
  /** The newest revision. */
  readonly revision: number;
}

/** Reads and converts a whole snapshot, to find errors before anything is written. */
export async function checkSource(to: StorePlace, snapshot: StoreSnapshot, label: string): Promise<void> {
  const { convertedPages } = await import('../../storage/backup/convert.ts');
  await withProgress(label, async (progress) => {
    for await (const page of convertedPages(snapshot, to)) progress.add(page);
  });
}

/** Makes a store with the content of a snapshot, and shows the progress. */
export function fillPlace(to: StorePlace, snapshot: StoreSnapshot, after: number): Promise<FilledPlace> {
  return withProgress(`writing to ${to.name}`, async (progress) => {
    const { convertedPages } = await import('../../storage/backup/convert.ts');
    const { fillEngine } = await import('../../storage/backup/fill-engine.ts');
    return to.fill(
      after,
      async (engine) => {
        const sum = await fillEngine(engine, convertedPages(snapshot, to), Date.now(), progress);
        return { ...sum, revision: engine.revision() };
      },
      (reached) => progress.show(`at revision ${reached} of ${after}`),
    );
  });
}

/** Returns the checksum of a place's newest state. */
export async function sumOf(place: StorePlace): Promise<RecordSum> {
  const { RecordDigest } = await import('../../storage/backup/record-digest.ts');
  const snapshot = await place.snapshot();
  try {
    return await withProgress(`reading ${place.name}`, async (progress) => {
      const digest = new RecordDigest();
      for await (const page of snapshot.pages()) {
        digest.add(page);
        progress.add(page);
      }
      return digest.end();
    });
  } finally {
    await snapshot.close();
  }
}
