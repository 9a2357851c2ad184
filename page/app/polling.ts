import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** What a view shows of something that it asks for again and again. */
export interface Polled<T> {
  readonly value: T | undefined;
  readonly problem: string;
}

/** Asks at once and then every `interval` milliseconds, while the page is visible. */
export function usePolled<T>(ask: (before: T | undefined) => Promise<T>, interval: number): Polled<T> {
  const value = useSignal<T | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    let isAsking = false;
    const again = async (): Promise<void> => {
      if (isAsking || document.hidden) return;
      isAsking = true;
      try {
        value.value = await ask(value.value);
        problem.value = '';
      } catch (error) {
        problem.value = error instanceof Error ? error.message : String(error);
      } finally {
        isAsking = false;
      }
    };
    void again();
    const timer = setInterval(() => void again(), interval);
    return () => clearInterval(timer);
  }, []);
  return { value: value.value, problem: problem.value };
}
