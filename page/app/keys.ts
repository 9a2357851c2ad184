import { useEffect } from 'preact/hooks';

/** What keys do, by the key or `g` and a key. A view adds its own while it is shown. */
export interface KeyBinding {
  readonly keys: string;
  readonly about: string;
  run(event: KeyboardEvent): void;
}

const bindings: KeyBinding[] = [];
/** Milliseconds in which a second key follows `g`. */
const chordTime = 1200;
let prefixAt = Number.NEGATIVE_INFINITY;

/** Returns what keys do now, newest first. */
export const boundKeys = (): readonly KeyBinding[] => bindings.toReversed();

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
  if (isTyping(event.target) && event.key !== 'Escape') return;
  if (event.target instanceof HTMLElement && event.key === 'Enter' && /^(?:A|BUTTON|SUMMARY)$/.test(event.target.tagName)) return;
  const isChord = performance.now() - prefixAt < chordTime;
  prefixAt = Number.NEGATIVE_INFINITY;
  const keys = isChord ? `g ${event.key}` : event.key;
  const found = bindings.findLast((binding) => binding.keys.split(', ').includes(keys));
  if (found !== undefined) {
    event.preventDefault();
    found.run(event);
  } else if (event.key === 'g') prefixAt = performance.now();
});

/** Binds keys while a component is shown. */
export function useKeys(own: readonly KeyBinding[], inputs: readonly unknown[] = []): void {
  useEffect(() => {
    bindings.push(...own);
    return () => {
      for (const binding of own) bindings.splice(bindings.indexOf(binding), 1);
    };
  }, inputs);
}
