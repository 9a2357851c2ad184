import type { Change, EngineListener } from '../../runtime/storage/kv/engine.ts';

/** Calls `onCommit` with the batches of an engine, which must not lose any. */
export function listenToCommits(
  engine: { listen(listener: EngineListener): () => void },
  onCommit: (changes: readonly Change[]) => void,
): () => void {
  const onLost = () => {
    throw new Error('the engine lost changes');
  };
  return engine.listen({ onCommit, onLost });
}
